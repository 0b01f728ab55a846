/** The rules of level `full`: what was decided where the interface leaves something open. See `rules.ts` for how they are written. */
export const full = `
> Decision: 401 says whether a key is missing or invalid, also on paths that do not exist; the scheme is written in any case.
auth.code.missing: without a key the code says that it is missing :: GET /pets | «-Authorization|Authorization: Basic dXNlcjpwYXNz|Authorization: Bearer» -> 401 missing_api_key ; WWW-Authenticate = Bearer realm="petstore"
auth.code.invalid: with an unknown key the code says that it is invalid :: GET /pets | Authorization: bearer «conform-is-no-key|pst_|"$apikey"» -> 401 invalid_api_key ; WWW-Authenticate = Bearer realm="petstore", error="invalid_token"
auth.scheme: the scheme may be written in any case :: GET /pets?limit=1 | Authorization: «bearer|BEARER|bEaReR» $apikey -> 200
auth.twice: two Authorization headers are no credential :: GET /pets | Authorization: Bearer $apikey | Authorization: Bearer $apikey -> 401 invalid_api_key
auth.unknown-path: without a key nobody learns what exists :: GET «/nope|/pets/1/2|/pets/|/» | -Authorization -> 401 missing_api_key
auth.first: 401 comes before every other error :: «DELETE /pets|POST /pets {|GET /pets?limit=0» | -Authorization -> 401 missing_api_key
> Decision: an Error has exactly three members, is not cached, and tells nothing of the program.
error.members: an error has these members and no other :: «GET /nope -> 404|GET /pets?status=x -> 400|GET /pets?limit=0 -> 400|PUT /pets -> 405|POST /pets {} -> 400» Error ; .keys = ["code","message","status"]
error.members.401: 401 has these members and no other :: GET /pets | -Authorization -> 401 Error ; .keys = ["code","message","status"]
error.type: an error is JSON in UTF-8 and not cached :: GET «/nope|/pets?limit=0» -> 404/400 ; Content-Type = application/json; charset=utf-8 ; Cache-Control = no-store ; ETag absent
error.discreet: no error shows a stack, a statement or a file :: «POST /pets {|GET /pets?cursor=%00|GET /nope%00» -> 400/404 Error ; .message !~ \\n| at |SELECT|INSERT|node:|\\.ts\\b
> Decision: unknown paths are 404 and wrong methods 405 with Allow; HEAD wherever GET; OPTIONS needs no key; Accept is ignored.
http.unknown-path: an unknown path is not found, and never redirected :: GET «/nope|/pets/|/Pets|/pet|/pets%2F1|/pets;x|/pets/1/|/» -> 404 route_not_found
http.method: another method is refused, and the methods are named :: «PUT|PATCH|DELETE|PROPFIND» /pets -> 405 method_not_allowed ; Allow = GET, HEAD, POST, OPTIONS
http.options: OPTIONS is answered without a key :: OPTIONS /pets | -Authorization -> 204 ; Allow = GET, HEAD, POST, OPTIONS ; body =
http.head: HEAD has the headers of GET and no body :: have 2 :: GET /pets?limit=1 -> 200 ; ETag as tag ; Link as link ; Content-Length as length :: HEAD /pets?limit=1 -> 200 ; body = ; ETag = $tag ; Link = $link ; Content-Length = $length ; Content-Type = application/json; charset=utf-8
http.head.errors: HEAD has the errors of GET :: HEAD «/pets?limit=0|/nope» -> «400|404» ; body = :: HEAD /pets | -Authorization -> 401 ; body =
http.accept: Accept is ignored :: GET /pets?limit=1 | Accept: «text/html|application/xml;q=1|nonsense|*/*;q=0» -> 200 Pets ; Content-Type = application/json; charset=utf-8
http.long: a target above 8 KiB is refused :: GET /pets?$rep(x,9000) -> 414 uri_too_long
http.nosniff: no answer may be taken for another type :: GET «/pets?limit=1|/nope» -> 200/404 ; X-Content-Type-Options = nosniff
> Decision: X-Request-Id is returned if it is 1–128 letters, digits, “_”, “.” or “-”, otherwise replaced.
http.request-id: a request id comes back, on errors too :: GET «/pets?limit=1|/nope|/pets?limit=0» | X-Request-Id: conform-A_b.9 -> 200/404/400 ; X-Request-Id = conform-A_b.9
http.request-id.long: a request id may have 128 characters :: GET /pets?limit=1 | X-Request-Id: $rep(x,128) -> 200 ; X-Request-Id = $rep(x,128)
http.request-id.made: a bad request id is replaced :: GET /pets?limit=1 | X-Request-Id: «|a b|$rep(x,129)|a,b|a/b|"a"» -> 200 ; X-Request-Id ~ ^[\\w.-]{8,128}$ ; X-Request-Id != $rep(x,129)
http.request-id.new: each request has its own :: GET /pets?limit=1 -> 200 ; X-Request-Id as one :: GET /pets?limit=1 -> 200 ; X-Request-Id != $one
> Decision: GET has an ETag and is revalidated: If-None-Match is answered with 304 while nothing changed.
cache.etag: the tag of a list changes with it :: pets 1 "categoryId":$cat :: GET /pets?categoryId=$cat -> 200 ; ETag ~ ^"[\\w-]+"$ ; ETag as tag ; Cache-Control = private, no-cache :: GET /pets?categoryId=$cat -> 200 ; ETag = $tag :: pets 1 "categoryId":$cat :: GET /pets?categoryId=$cat | If-None-Match: $tag -> 200 ; ETag != $tag
cache.304: a copy that is current is not sent again :: pets 1 "categoryId":$cat :: GET /pets?categoryId=$cat -> 200 ; ETag as tag :: «GET|HEAD|GET|GET|GET» /pets?categoryId=$cat | If-None-Match: «$tag|$tag|W/$tag|"other", $tag|*» -> 304 ; body = ; ETag = $tag
cache.other: another tag is no copy :: pets 1 "categoryId":$cat :: GET /pets?categoryId=$cat | If-None-Match: «"other"|W/"other"|"*"||other» -> 200 Pets ; .length = 1
cache.get: a single animal has a tag, too :: pets 1 "categoryId":$cat :: GET /pets/$p1 -> 200 ; ETag as tag ; Cache-Control = private, no-cache :: GET /pets/$p1 | If-None-Match: $tag -> 304
cache.refused: If-None-Match applies to what is found, and to GET :: GET /pets?limit=0 | If-None-Match: * -> 400 :: POST /pets {"name":"$name","categoryId":1} | If-None-Match: * -> 201
cache.created: a new animal has the tag that it has in the list :: POST /pets {"name":"$name","categoryId":1} -> 201 ; .id as id ; ETag as tag :: GET /pets?id=$id -> 200 ; ETag = $tag
> Decision: the list is ordered by id; pages follow by keyset, with Link rel="next" only if more rows exist; the body stays a bare array.
list.order: animals come in ascending order of id :: pets 3 "categoryId":$cat :: GET /pets?categoryId=$cat -> 200 Pets ; .*.id = [$p1,$p2,$p3] ; Content-Type = application/json; charset=utf-8
list.order.all: also without a filter :: have 21 :: GET /pets?limit=100 -> 200 Pets ; .*.id rising
list.empty: no match is an empty array without a link :: GET /pets?categoryId=$cat -> 200 ; body = [] ; Link absent
list.next: the link leads to the rest :: pets 3 "categoryId":$cat :: GET /pets?categoryId=$cat&limit=2 -> 200 ; .*.id = [$p1,$p2] ; Link ~ ^<[^>]+/pets\\?[^>]*cursor=[\\w-]+>; rel="next"$ ; next as more :: GET $more -> 200 ; .*.id = [$p3] ; Link absent
list.next.end: a page that is full and the last has no link :: pets 2 "categoryId":$cat :: GET /pets?categoryId=$cat&limit=2 -> 200 ; .length = 2 ; Link absent
list.next.filters: the link keeps filters and limit :: pets 2 "categoryId":$cat,"status":"pending" :: GET /pets?limit=1&categoryId=$cat&status=pending -> 200 ; next ~ [?&]status=pending& ; next ~ [?&]categoryId=$cat& ; next ~ [?&]limit=1&
list.next.default: without a limit the link says 20 :: have 21 :: GET /pets -> 200 ; next ~ [?&]limit=20&
> Decision: a cursor is opaque and bound to the filters it was made with; limit may change; any other cursor is 400 invalid_cursor.
list.cursor.limit: the limit may change from page to page :: pets 4 "categoryId":$cat :: GET /pets?categoryId=$cat&limit=1 -> 200 ; cursor as cursor :: GET /pets?categoryId=$cat&limit=2&cursor=$cursor -> 200 ; .*.id = [$p2,$p3]
list.cursor.filters: a cursor is good for its filters only :: pets 2 "categoryId":$cat :: GET /pets?categoryId=$cat&limit=1 -> 200 ; cursor as cursor :: GET /pets?«|categoryId=1&|categoryId=$cat&status=available&|status=available&|id=$p1,$p2&|categoryId=$cat&search=conform&»cursor=$cursor -> 400 invalid_cursor
list.cursor.altered: a cursor that was changed is refused :: pets 2 "categoryId":$cat :: GET /pets?categoryId=$cat&limit=1 -> 200 ; cursor as cursor :: GET /pets?categoryId=$cat&cursor=«A$cursor|$cursor=|%20$cursor|$cursor-» -> 400 invalid_cursor
list.cursor.unknown: a cursor that was never issued is refused :: GET /pets?cursor=«|1|abc|%00|%C3%BC|$rep(A,5000)» -> 400 invalid_cursor
list.cursor.twice: a cursor given twice is refused :: pets 2 "categoryId":$cat :: GET /pets?categoryId=$cat&limit=1 -> 200 ; cursor as cursor :: GET /pets?categoryId=$cat&cursor=$cursor&cursor=$cursor -> 400 invalid_parameter
list.cursor.last: a cursor counts only if all other parameters are valid :: GET /pets?cursor=nope&limit=0 -> 400 invalid_parameter ; .message ~ limit
> Decision: a parameter that is out of range is 400, never clamped or coerced; a known one given twice is 400; unknown ones are ignored.
list.limit.refused: a limit that is not 1 to 100, as digits, is refused :: GET /pets?limit=«0|101|1e1|+5|%2B5|05||20.0|-1|0x10|%205|5%00|%D9%A3|$rep(9,40)» -> 400 invalid_parameter ; .message ~ limit
list.status.refused: a status that is none is refused :: GET /pets?status=«|Available|SOLD|available%20|lost|available,sold|null» -> 400 invalid_parameter ; .message ~ status
list.twice: a parameter given twice is refused :: GET /pets?«limit=1&limit=1|status=sold&status=sold|categoryId=1&categoryId=1|after=1&after=1|order=asc&order=asc» -> 400 invalid_parameter ; .message ~ «limit|status|categoryId|after|order»
list.unknown: unknown parameters are ignored :: pets 2 "categoryId":$cat :: GET /pets?offset=1&Limit=0&x&x=&__proto__=1&categoryId=$cat&foo[]=1&x[id]=2&%ff=% -> 200 ; .*.id = [$p1,$p2]
list.faults: the message names every bad parameter :: GET /pets?id=z&status=x&limit=0 -> 400 invalid_parameter ; .message ~ limit ; .message ~ status ; .message ~ id
list.brackets: a known parameter with brackets is refused :: GET /pets?«id[0]=1|id%5B0%5D=1|id[=1|id[]x=1|id[][]=1|id=1&id[a]=2|status[]=sold|limit[]=5|cursor[]=x|categoryId[]=1|status[a][b]=sold» -> 400 invalid_parameter
> Decision: filters categoryId, and id with up to 100 identifiers, by commas or repeated: what the replacement of getPet needs.
list.category: every int64 is a filter, exactly :: POST /pets {"name":"$name","categoryId":«9223372036854775807|-9223372036854775808|9007199254740993|0»} -> 201
  GET /pets?categoryId=«9223372036854775807|-9223372036854775808|9007199254740993|0»&limit=100 -> 200 ; .length >= 1 ; .*.categoryId all «9223372036854775807|-9223372036854775808|9007199254740993|0»
list.category.near: a neighbour beyond 2⁵³ is another one :: POST /pets {"name":"$name","categoryId":9007199254740993} -> 201 :: GET /pets?categoryId=9007199254740992&limit=100 -> 200 ; body !~ "$name"
list.category.refused: what is no canonical int64 is refused :: GET /pets?«categoryId|id|categoryId|id|categoryId|id|categoryId|id|id»=«|abc|007|%2B5|5.0|-0|1e3|9223372036854775808|-9223372036854775809» -> 400 invalid_parameter
list.id: the filter id gives the animals in order, each once :: pets 3 "categoryId":$cat :: GET /pets?id=$p3,$p1,$p1 -> 200 ; .*.id = [$p1,$p3] :: GET /pets?id=0,-1,9223372036854775807,$p2 -> 200 ; .*.id = [$p2]
list.id.repeated: ids may be given again and again :: pets 3 "categoryId":$cat :: GET /pets?«id=$p1&id=$p3|id=$p3&limit=5&id=$p1|id=$p1,$p1&id=$p3|%69d=$p1&id=$p3» -> 200 ; .*.id = [$p1,$p3]
list.id.brackets: id[] is id, as many generated clients write it :: pets 3 "categoryId":$cat :: GET /pets?«id[]=$p1&id[]=$p3|id%5B%5D=$p1&id=$p3|id[]=$p1,$p3» -> 200 ; .*.id = [$p1,$p3]
list.id.same: the answer is the same, however ids are given :: pets 3 "categoryId":$cat :: GET /pets?id=$p1,$p2,$p3&limit=2 -> 200 ; body as page ; Link as link :: GET /pets?id=$p1&id=$p2&id=$p3&limit=2 -> 200 ; body = $page ; Link = $link
list.id.max: 100 ids may be asked for :: GET /pets?id=«$seq(100)|$seq(100,&id=)» -> 200 Pets
list.id.many: 101 ids are too many :: GET /pets?id=«$seq(101)|$seq(100)&id=1|$seq(101,&id=)» -> 400 invalid_parameter
list.id.refused: a gap between commas is refused :: GET /pets?id=«1,,2|,|1,|,1|1,%202|1;2|1&id=x|x&id=1|1&id=|1&id=2,» -> 400 invalid_parameter
list.combined: an animal must match every filter :: pets 1 "categoryId":$cat,"status":"sold" :: POST /pets {"name":"$name","categoryId":$cat} -> 201 ; .id as other :: GET /pets?id=$p1,$other&status=sold&categoryId=$cat -> 200 ; .*.id = [$p1]
> Decision: after=<id> gives only animals above it (with cursor: 400); order=asc|desc by id; with desc, after means below; a cursor is bound to its order.
list.after: after gives the animals above an id :: pets 3 "categoryId":$cat :: GET /pets?categoryId=$cat&after=«$p1|$p3|0» -> 200 ; .*.id = «[$p2,$p3]|[]|[$p1,$p2,$p3]»
list.after.pages: after is followed by pages :: pets 4 "categoryId":$cat :: GET /pets?categoryId=$cat&after=$p1&limit=2 -> 200 ; .*.id = [$p2,$p3] ; next as more :: GET $more -> 200 ; .*.id = [$p4] ; Link absent
list.after.cursor: after and cursor together are refused :: pets 2 "categoryId":$cat :: GET /pets?categoryId=$cat&limit=1 -> 200 ; cursor as cursor :: GET /pets?categoryId=$cat&after=$p1&cursor=$cursor -> 400 invalid_parameter
list.after.refused: what is no id is refused :: GET /pets?after=«|abc|007|1.0|9223372036854775808|1&after=2» -> 400 invalid_parameter
list.desc: order=desc turns the list around :: pets 3 "categoryId":$cat :: GET /pets?categoryId=$cat&order=«desc|asc» -> 200 ; .*.id = «[$p3,$p2,$p1]|[$p1,$p2,$p3]»
list.desc.pages: pages follow in that order :: pets 3 "categoryId":$cat :: GET /pets?categoryId=$cat&order=desc&limit=2 -> 200 ; .*.id = [$p3,$p2] ; next ~ order=desc ; next as more :: GET $more -> 200 ; .*.id = [$p1] ; Link absent
list.desc.after: with order=desc, after means below :: pets 3 "categoryId":$cat :: GET /pets?categoryId=$cat&order=desc&after=$p3 -> 200 ; .*.id = [$p2,$p1]
list.desc.cursor: a cursor is bound to its order :: pets 2 "categoryId":$cat :: GET /pets?categoryId=$cat&order=desc&limit=1 -> 200 ; cursor as cursor :: GET /pets?categoryId=$cat&cursor=$cursor -> 400 invalid_cursor
list.desc.refused: another order is refused :: GET /pets?order=«|DESC|up|asc,desc|asc&order=asc» -> 400 invalid_parameter
> Decision: search finds animals whose name has, for each word, one that begins with it; case, accents and width are ignored.
list.search: words are found by their beginnings, in any case :: POST /pets {"name":"$name Žofie & Co 100%","categoryId":$cat} -> 201 ; .id as one :: POST /pets {"name":"$name 猫 rex","categoryId":$cat} -> 201 ; .id as two
  GET /pets?categoryId=$cat&search=«Z%C3%96FIE|c%20%26%20%C5%BEof|%E7%8C%AB|rex%20conf|rex'%20OR|conform» -> 200 ; .*.id = «[$one]|[$one]|[$two]|[$two]|[]|[$one,$two]»
list.search.pages: a search has pages, and a cursor is good for its search only :: pets 2 "categoryId":$cat :: GET /pets?categoryId=$cat&search=conf&limit=1 -> 200 ; .*.id = [$p1] ; cursor as cursor
  GET /pets?categoryId=$cat&search=conf&cursor=$cursor -> 200 ; .*.id = [$p2] :: GET /pets?categoryId=$cat&«|search=con&|search=Conf&»cursor=$cursor -> 400 invalid_cursor
list.search.order: a search for the name of an order is a search, and its cursor is bound to it :: POST /pets {"name":"asc $name","categoryId":$cat} -> 201 :: POST /pets {"name":"asc $name2","categoryId":$cat} -> 201 :: GET /pets?categoryId=$cat&search=asc&limit=1 -> 200 ; cursor as cursor
  GET /pets?categoryId=$cat&cursor=$cursor -> 400 invalid_cursor
list.search.max: a search may have 128 characters :: GET /pets?search=«$rep(x,128)|$rep(%F0%90%90%80,128)» -> 200 Pets
list.search.refused: a search without a letter or digit, or too long, is refused :: GET /pets?search=«|%20|%21%3F|%F0%9F%90%B6|$rep(x,129)|a&search=b» -> 400 invalid_parameter
> Decision: 201 with Location; without a status an animal is available; id in the body is ignored; other unknown members and repeated ones are 400.
create.location: Location is the address of the animal :: POST /pets {"name":"$name","categoryId":1} -> 201 ; .id as id ; Location ~ ^https?://.*/pets/$id$ ; Content-Type = application/json; charset=utf-8
create.rising: identifiers rise and stay below 2⁵³ :: pets 2 "categoryId":$cat :: GET /pets?categoryId=$cat -> 200 ; .*.id rising ; .1.id <= 9007199254740991 ; .0.id >= 1
create.members: an animal has these members and no other :: POST /pets {"name":"$name","categoryId":1} -> 201 ; .keys = ["categoryId","id","name","status"]
create.status.default: without a status an animal is available :: POST /pets {"name":"$name","categoryId":1} -> 201 ; .status = "available" ; .id as id :: GET /pets?id=$id&status=available -> 200 ; .length = 1
create.status.refused: a status that is none is refused by name :: POST /pets {"name":"$name","categoryId":1,"status":«null|""|"Available"|1|true|["sold"]|{}»} -> 400 invalid_field ; .message ~ status
create.id: an id is ignored, so that a Pet can be sent back :: POST /pets {"id":«"abc"|null|-1|{"a":[1]}|1e999|900719925474099»,"name":"$name","categoryId":1} -> 201 Pet ; .id != 900719925474099 ; .id >= 1
create.unknown: an unknown member is refused :: POST /pets {"name":"$name","categoryId":1,"«colour|ID|Name||__proto__|constructor|\\ud800»":1} -> 400 unknown_field
create.duplicate: a member given twice is refused :: POST /pets {"id":1,"name":"$name","categoryId":1,"status":"sold",«"name":"a"|"categoryId":1|"status":"sold"|"id":4|"n\\u0061me":"a"»} -> 400 duplicate_field
create.faults: the message names every fault, the code is that of the first of duplicate, missing, invalid, unknown :: POST /pets {"wings":2,«"status":"x","name":"a","status":"x"|"status":"x","name":"a"|"status":"x","name":"a","categoryId":1|"name":"a","categoryId":1»} -> 400 «duplicate_field|missing_field|invalid_field|unknown_field» ; .message ~ wings
create.missing: the message names every member that is missing :: POST /pets {} -> 400 missing_field ; .message ~ name ; .message ~ categoryId
> Decision: int64 is exact, in and out, over the whole range; 1.0 and 1e3 are integers, "5" and 1.5 are not.
create.int64: an int64 keeps every digit :: POST /pets {"name":"$name","categoryId":«9223372036854775807|-9223372036854775808|9007199254740993|-9007199254740993»} -> 201 ; .categoryId = «9223372036854775807|-9223372036854775808|9007199254740993|-9007199254740993» ; .id as id ; body as pet
  GET /pets?id=$id -> 200 ; body = [$pet]
create.int64.forms: an integer may be written in any form of JSON :: POST /pets {"name":"$name","categoryId":«1.0|1e3|-0|12.50e1|100E-2|9223372036854775807.000»} -> 201 ; .categoryId = «1|1000|0|125|1|9223372036854775807»
create.int64.refused: what is no int64 is refused :: POST /pets {"name":"$name","categoryId":«"5"|1.5|true|null|[]|{}|1e-1|9223372036854775808|-9223372036854775809|1e19|1e999999999|$rep(9,5000)»} -> 400 invalid_field ; .message ~ categoryId
> Decision: a name has 1–1024 code points, not only white space, no control characters or unpaired surrogates, and is kept unchanged.
create.name.kept: a name is kept as it was sent :: POST /pets {"name":"$name-«x| Rex |ä\\u0308|a\\u0308|שלום|🐕‍🦺|\\u2028x|\\"\\\\\\\\/<>&'|%00»","categoryId":1} -> 201 ; .id as id ; .name ~ ^$name ; . as pet :: GET /pets?id=$id -> 200 ; .0 = $pet
create.name.exact: no space is cut off, no letter composed :: POST /pets {"name":" $name a\\u0308 ","categoryId":1} -> 201 ; .name = " $name a\\u0308 "
create.name.max: a name may have 1024 code points :: POST /pets {"name":"$rep(«x|🐕»,1024)","categoryId":1} -> 201 ; .name = "$rep(«x|🐕»,1024)"
create.name.refused: a bad name is refused :: POST /pets {"name":«""|" "|"\\t"|"\\u00a0\\u2003\\ufeff"|"a\\u0000"|"a\\nb"|"\\u007f"|"\\u0085x"|null|5|["Rex"]|"\\ud800"|"x\\udc00x"|"$rep(x,1025)"|"$rep(🐕,1025)"»,"categoryId":1} -> 400 invalid_field ; .message ~ name
> Decision: a body is application/json in UTF-8, at most 64 KiB; other types and any Content-Encoding are 415, larger ones 413, malformed ones 400.
body.type: the type may name its charset, in any case :: POST /pets {"name":"$name","categoryId":1} | Content-Type: «Application/JSON|application/json; charset=utf-8|application/json;charset="UTF-8"» -> 201
body.type.refused: another type is refused :: POST /pets {"name":"$name","categoryId":1} | Content-Type: «text/plain|application/json; charset=latin1|application/problem+json|application/jsonx|application/merge-patch+json» -> 415 unsupported_media_type
body.type.none: a body without a type is refused :: POST /pets «{"name":"$name","categoryId":1}|{» | -Content-Type -> 415 unsupported_media_type
body.none: neither body nor type: the body is what is missing :: POST /pets | «-Content-Type|Content-Type: application/json» -> 400 malformed_json
body.encoding: a Content-Encoding is refused :: POST /pets {"name":"$name","categoryId":1} | Content-Encoding: «gzip|identity|br» -> 415 unsupported_media_type
body.utf8: a body that is not UTF-8 is refused :: POST /pets {"name":"$name«$byte(ff)|$byte(c3)|$byte(c0)$byte(80)|$byte(ed)$byte(a0)$byte(80)|$byte(f4)$byte(90)$byte(80)$byte(80)»","categoryId":1} -> 400 malformed_json
body.malformed: a body that is no JSON is refused :: POST /pets «{|{"name":"Rex",}|{'name':'Rex'}|nope|{} {}|$byte(ef)$byte(bb)$byte(bf){}|[1,]|NaN|"$byte(9)"» -> 400 malformed_json
body.object: a body that is no object is refused :: POST /pets «[]|null|"Rex"|5|true|[{"name":"Rex","categoryId":1}]» -> 400 invalid_field
body.deep: a body that is nested too deep is refused :: POST /pets $rep({"a":,5000) -> 400 malformed_json
body.max: a body may have 64 KiB :: POST /pets {"name":"conform","categoryId":1}$rep( ,65503) -> 201
body.large: a body of one byte more is refused :: POST /pets {"name":"conform","categoryId":1}$rep( ,65504) -> 413 content_too_large
> Decision: Idempotency-Key, 1–255 visible ASCII characters, quoted or bare: the same key and body give the same 201; another body is 422; errors are not kept.
idempotency.replay: a repeated request is answered the same and adds nothing :: POST /pets {"name":"$name","categoryId":$cat} | Idempotency-Key: $key1 -> 201 ; body as pet ; Location as place ; Idempotency-Replayed absent
  POST /pets {"name":"$name","categoryId":$cat} | Idempotency-Key: $key1 -> 201 ; body = $pet ; Location = $place ; Idempotency-Replayed = true :: GET /pets?categoryId=$cat -> 200 ; .length = 1
idempotency.reused: the same key with another body is refused :: POST /pets {"name":"$name","categoryId":$cat} | Idempotency-Key: $key1 -> 201 :: POST /pets «{"name":"$name2","categoryId":$cat}|{"name":"$name", "categoryId":$cat}» | Idempotency-Key: $key1 -> 422 idempotency_key_reused
  GET /pets?categoryId=$cat -> 200 ; .length = 1
idempotency.errors: an error is not kept: the corrected request goes through :: POST /pets {"name":"$name","categoryId":1,"status":"lost"} | Idempotency-Key: $key1 -> 400 :: POST /pets {"name":"$name","categoryId":1} | Idempotency-Key: $key1 -> 201 ; Idempotency-Replayed absent
idempotency.quoted: quoted and bare mean the same :: POST /pets {"name":"$name","categoryId":1} | Idempotency-Key: "$key1«|\\"b\\\\c»" -> 201 ; body as pet :: POST /pets {"name":"$name","categoryId":1} | Idempotency-Key: $key1«|"b\\c» -> 201 ; body = $pet ; Idempotency-Replayed = true
idempotency.case: keys differ by case :: POST /pets {"name":"$name","categoryId":1} | Idempotency-Key: a-$key1 -> 201 :: POST /pets {"name":"$name","categoryId":1} | Idempotency-Key: A-$key1 -> 201 ; Idempotency-Replayed absent
idempotency.query: the query does not matter :: POST /pets {"name":"$name","categoryId":1} | Idempotency-Key: $key1 -> 201 :: POST /pets?x=1 {"name":"$name","categoryId":1} | Idempotency-Key: $key1 -> 201 ; Idempotency-Replayed = true
idempotency.valid: a key has up to 255 visible characters :: POST /pets {"name":"$name","categoryId":1} | Idempotency-Key: «$key1,b;c=d!~|$key1$rep(a,219)|"$key1$rep(b,219)"» -> 201
idempotency.refused: another key is refused :: POST /pets {"name":"$name","categoryId":1} | Idempotency-Key: «|""|a b|"a b"|ü|$rep(a,256)|"$rep(b,256)"» -> 400 invalid_idempotency_key
idempotency.twice: two keys are refused :: POST /pets {"name":"$name","categoryId":1} | Idempotency-Key: one | Idempotency-Key: two -> 400 invalid_idempotency_key
> Decision: an identifier that is no canonical int64 is 404; Deprecation, Sunset and Link announce the removal on 200 and 404; then 410.
get.canonical: what is no canonical int64 is not found :: GET /pets/«abc|007|+5|5.0|-0|1e3|9223372036854775808|-9223372036854775809|%31|1%00|%F0%9F%90%95|%|1,2|$rep(x,3000)» -> 404 pet_not_found
get.query: the query is ignored :: have 1 :: GET /pets/$p1?limit=0&x -> 200 Pet
get.deprecated: the removal is announced, on 404 too :: have 1 :: GET /pets/«$p1|9223372036854775807|abc» -> 200/404 ; Deprecation ~ ^@[1-9]\\d*$ ; Sunset = Thu, 05 Dec 2030 00:00:00 GMT
get.deprecated.links: the links say why, until when and what instead :: have 1 :: GET /pets/$p1 -> 200 ; Link ~ rel="deprecation" ; Link ~ rel="sunset" ; Link ~ /pets>; rel="successor-version"
get.deprecated.only: no other operation announces its end :: GET /pets?limit=1 -> 200 ; Deprecation absent ; Sunset absent
get.removed.code: from 5 December 2030 on the code says so :: GET /pets/«1|abc» -> 410 endpoint_removed
`
