// @ts-check
/**
 * Rotating a key without a restart: after `petstore keys rotate KEY`, the old key works for another 24 hours, in which
 * the program takes up the new one. The client asks for its key before each request.
 *
 * Run it with: PETSTORE_KEY=pst_… PETSTORE_NEW_KEY=pst_… npm run example rotate-a-key
 */
import { PetStore } from 'petstore-client'

const { PETSTORE_URL = 'http://127.0.0.1:8080/v1', PETSTORE_KEY = '', PETSTORE_NEW_KEY = '' } = process.env

/** In your program, this is the present content of a file or of a store of secrets. */
let key = PETSTORE_KEY
const petstore = new PetStore({ baseUrl: PETSTORE_URL, apiKey: () => key })

const old = await petstore.me()
console.log(`the old key ${old.name} ends at ${old.expiresAt ?? 'no time: it was not rotated'}`)

key = PETSTORE_NEW_KEY
const { name, expiresAt } = await petstore.me()
console.log(`the new key ${name} ends at ${expiresAt ?? 'no time'}`)
