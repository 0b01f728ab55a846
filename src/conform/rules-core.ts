/** The rules of level `core`: what the interface itself says. See `rules.ts` for how they are written. */
export const core = `
> Authentication: “The client sends its API key as a bearer token in the Authorization header.”
auth.valid: a request with the key is answered :: GET /pets?limit=1 -> 200
auth.other-header: a key in another header is no credential :: GET /pets?limit=1 | -Authorization | X-Api-Key: $apikey -> 401
auth.no-scheme: a key without its scheme is no credential :: GET /pets?limit=1 | Authorization: $apikey -> 401
auth.other-scheme: a key under another scheme is no credential :: GET /pets?limit=1 | Authorization: Basic $apikey -> 401
auth.empty: a bearer token of no characters is no credential :: GET /pets?limit=1 | Authorization: Bearer -> 401
> Authentication: “When the credential is missing or invalid, the service answers 401 with an Error body.”
auth.missing.list: listing animals needs a key :: GET /pets | -Authorization -> 401
auth.missing.create: adding an animal needs a key :: POST /pets {"name":"$name","categoryId":1} | -Authorization -> 401
auth.missing.get: fetching an animal needs a key :: GET /pets/1 | -Authorization -> 401
auth.invalid.list: listing animals needs a key that is valid :: GET /pets | Authorization: Bearer conform-is-no-key -> 401
auth.invalid.create: adding an animal needs a key that is valid :: POST /pets {"name":"$name","categoryId":1} | Authorization: Bearer conform-is-no-key -> 401
auth.invalid.get: fetching an animal needs a key that is valid :: GET /pets/1 | Authorization: Bearer conform-is-no-key -> 401
auth.altered: the key with a character less, or one more, is not the key :: GET /pets?limit=1 | Authorization: Bearer «$keyshort|$keylong» -> 401
auth.refused-adds-nothing: a request without a valid key adds no animal :: POST /pets {"name":"$name","categoryId":1,"status":"sold"} | -Authorization -> 401 :: GET /pets?status=sold&limit=100 -> 200 Pets ; body !~ "$name"
> List animals: “200: Pets (array of Pet). A page of animals is returned.”
list.array: the list is a bare array of animals :: have 1 :: GET /pets -> 200 Pets ; .length >= 1
list.json: the list is JSON :: GET /pets -> 200 ; Content-Type ~ ^application/json\\b
list.ids: no animal is twice on a page :: have 21 :: GET /pets?limit=100 -> 200 Pets ; .*.id distinct
list.same: an animal has the same members in the list and by itself :: have 1 :: GET /pets?limit=1 -> 200 Pets ; .0 as pet ; .0.id as id :: GET /pets/$id -> 200 ; . = $pet
> Limits: “limit minimum 1, limit maximum 100, limit default 20.”
list.limit.default: a page has 20 animals if no limit is given :: have 21 :: GET /pets -> 200 Pets ; .length = 20
list.limit.min: a page may have one animal :: have 2 :: GET /pets?limit=1 -> 200 Pets ; .length = 1
list.limit.max: a page may have 100 animals :: have 101 :: GET /pets?limit=100 -> 200 Pets ; .length = 100
list.limit.between: every limit in between gives as many animals :: have 101 :: GET /pets?limit=«2|19|21|99» -> 200 Pets ; .length = «2|19|21|99»
> List animals: “status: one of available, pending, sold. Return only animals with this status.”
list.status.available: the filter available gives only animals that are available :: POST /pets {"name":"$name","categoryId":1,"status":"available"} -> 201 :: POST /pets {"name":"$name","categoryId":1,"status":"sold"} -> 201 :: GET /pets?status=available&limit=100 -> 200 Pets ; .length >= 1 ; .*.status all "available"
list.status.pending: the filter pending gives only animals that are pending :: POST /pets {"name":"$name","categoryId":1,"status":"sold"} -> 201 :: POST /pets {"name":"$name","categoryId":1,"status":"pending"} -> 201 :: GET /pets?status=pending&limit=100 -> 200 Pets ; .length >= 1 ; .*.status all "pending"
list.status.sold: the filter sold gives only animals that are sold :: POST /pets {"name":"$name","categoryId":1,"status":"pending"} -> 201 :: POST /pets {"name":"$name","categoryId":1,"status":"sold"} -> 201 :: GET /pets?status=sold&limit=100 -> 200 Pets ; .length >= 1 ; .*.status all "sold"
list.status.limit: status and limit apply together :: POST /pets {"name":"$name","categoryId":1,"status":"pending"} -> 201 :: POST /pets {"name":"$name","categoryId":1,"status":"pending"} -> 201 :: GET /pets?status=pending&limit=1 -> 200 Pets ; .length = 1 ; .0.status = "pending"
> Add an animal: “201: Pet. Animal added; body carries the assigned id.”
create.created: an animal that is added is answered with 201 :: POST /pets {"name":"$name","categoryId":1} -> 201 Pet
create.json: the answer is JSON :: POST /pets {"name":"$name","categoryId":1} -> 201 ; Content-Type ~ ^application/json\\b
create.ids: each animal gets an identifier of its own :: POST /pets {"name":"$name","categoryId":1} -> 201 Pet ; .id as a :: POST /pets {"name":"$name","categoryId":1} -> 201 Pet ; .id != $a
create.stored: an animal that was added can be fetched, the same in every member :: POST /pets {"name":"$name","categoryId":7,"status":"sold"} -> 201 Pet ; .id as id ; . as pet :: GET /pets/$id -> 200 Pet ; . = $pet
> NewPet: “name: string, required. categoryId: integer, int64, required. status: string, enum PetStatus.”
create.name: the name is the one that was sent :: POST /pets {"name":"$name José 犬 🐕","categoryId":1} -> 201 Pet ; .name = "$name José 犬 🐕"
create.category: the category is the one that was sent :: POST /pets {"name":"$name","categoryId":42} -> 201 Pet ; .categoryId = 42
create.category.large: a category may be beyond 32 bits, and below zero :: POST /pets {"name":"$name","categoryId":«4294967297|-4294967297|0»} -> 201 Pet ; .categoryId = «4294967297|-4294967297|0»
create.status: the status is the one that was sent :: POST /pets {"name":"$name","categoryId":1,"status":"«available|pending|sold»"} -> 201 Pet ; .status = "«available|pending|sold»"
create.status.optional: the status may be left out :: POST /pets {"name":"$name","categoryId":1} -> 201 Pet
> Add an animal: “400: Error. Body is missing required fields (name, categoryId) or contains invalid values.”
create.missing.name: an animal without a name is refused :: POST /pets {"categoryId":1} -> 400
create.missing.category: an animal without a category is refused :: POST /pets {"name":"$name"} -> 400
create.missing.both: an empty object is refused :: POST /pets {} -> 400
create.missing.body: a request without a body is refused :: POST /pets | Content-Type: application/json -> 400
create.invalid.name: a name that is no string is refused :: POST /pets {"name":«5|true|null|["$name"]|{}»,"categoryId":1} -> 400
create.invalid.category: a category that is no number is refused :: POST /pets {"name":"$name","categoryId":«"five"|true|null|[1]|{}»} -> 400
create.invalid.fraction: a category that is no integer is refused :: POST /pets {"name":"$name","categoryId":1.5} -> 400
create.invalid.status: a status that is none of the three is refused :: POST /pets {"name":"$name","categoryId":1,"status":«"lost"|""|5|["sold"]»} -> 400
create.invalid.json: a body that is no JSON is refused :: POST /pets {"name":"$name", -> 400
create.invalid.array: a body that is no object is refused :: POST /pets [{"name":"$name","categoryId":1}] -> 400
create.refused-adds-nothing: a request that is refused adds no animal :: POST /pets {"name":"$name","status":"sold"} -> 400 :: GET /pets?status=sold&limit=100 -> 200 Pets ; body !~ "$name"
> Get an animal: “200: Pet. The animal exists. 404: Error. No animal with that identifier.”
get.found: an animal is found by its identifier :: POST /pets {"name":"$name","categoryId":1} -> 201 ; .id as id :: GET /pets/$id -> 200 Pet ; .id = $id ; .name = "$name"
get.json: the animal is JSON :: have 1 :: GET /pets/$p1 -> 200 ; Content-Type ~ ^application/json\\b
get.unknown: an identifier that no animal has is not found :: GET /pets/«9223372036854775807|0|-1» -> 404
get.removed: “It remains available until then”: from 5 December 2030 on it is gone :: GET /pets/1 -> 404/410
> Errors: “code: string, required. message: string, required. status: integer, required: the HTTP status code of the response.”
error.400: an error 400 has a code, a message and its status :: POST /pets «{}|{|[]|{"name":5,"categoryId":1}» -> 400 Error ; .status = 400 ; .code ~ . ; .message ~ .
error.401: an error 401 has a code, a message and its status :: «GET /pets|POST /pets {}|GET /pets|POST /pets {}» | «-Authorization|-Authorization|Authorization: Bearer conform-is-no-key|Authorization: Bearer conform-is-no-key» -> 401 Error ; .status = 401 ; .code ~ . ; .message ~ .
error.404: an error 404 has a code, a message and its status :: GET /pets/9223372036854775807 -> 404 Error ; .status = 404 ; .code ~ . ; .message ~ .
error.json: errors are JSON :: POST /pets {} -> 400 ; Content-Type ~ ^application/json\\b :: GET /pets | -Authorization -> 401 ; Content-Type ~ ^application/json\\b
> Versioning: “The version appears in the path prefix /v1 of both base addresses.”
version.prefix: the base address ends with /v1 :: GET /pets?limit=1 -> 200 ; $base ~ /v1$
`
