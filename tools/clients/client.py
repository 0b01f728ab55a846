#!/usr/bin/python3
"""The Python client of `redocly generate-client`, behind lines of JSON."""
import json
import sys

import api

url, key = sys.argv[1:]
client = api.Client(url, auth={"bearer": key})
operations = {
    "listPets": lambda query: client.list_pets_with_headers(**query),
    "createPet": lambda pet: client.create_pet_with_headers(api.NewPet(name=pet["name"], category_id=pet["categoryId"])),
    "getPet": client.get_pet_with_headers,
    "placeOrder": lambda order: client.place_order_with_headers(api.NewOrder(pet_id=order["petId"])),
    "completeOrder": client.complete_order_with_headers,
    "cancelOrder": client.cancel_order_with_headers,
}
for line in sys.stdin:
    call = json.loads(line)
    try:
        answer = operations[call["operation"]](call["argument"])
        link = answer.response.headers.get("link")
        reply = {"status": answer.response.status_code, "data": api.encode(answer.data), "link": link}
    except api.ApiError as error:
        reply = {"status": error.status, "error": error.body}
    print(json.dumps(reply), flush=True)
