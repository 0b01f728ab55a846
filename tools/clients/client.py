#!/usr/bin/python3
"""The Python client of `redocly generate-client`, behind lines of JSON."""
import inspect
import json
import re
import sys
import typing

import api
import httpx

url, key = sys.argv[1:]
client = api.Client(url, auth={"bearer": key})


def run(operation, ids, query, body=None):
    name = re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", operation)
    method = getattr(client, f"{name}_with_headers", None)
    if method is None:  # A stream.
        return {"status": 200, "data": next(getattr(client, name)(**query))}
    if body is not None:
        ids.append(api.decode(typing.get_type_hints(method)["body"], body))
    parameters = inspect.signature(method).parameters
    answer = method(*ids, **{f"{name}_" if f"{name}_" in parameters else name: value for name, value in query.items()})
    response = answer.response
    return {"status": response.status_code, "data": api.encode(answer.data), "link": response.headers.get("link")}


for line in sys.stdin:
    try:
        reply = run(**json.loads(line))
    except api.ApiError as error:
        reply = {"status": error.status, "error": error.body}
    except httpx.HTTPStatusError as error:  # Of a stream.
        reply = {"status": error.response.status_code, "error": error.response.json()}
    print(json.dumps(reply), flush=True)
