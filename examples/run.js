/** `npm run example NAME`: runs an example with the client of this checkout, or says what is missing. */
import { readdirSync } from 'node:fs'
import * as modules from 'node:module'

const folder = new URL('.', import.meta.url)
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -4))
const [name] = process.argv.splice(2, 1)
const faults = [
  ...(Number.parseInt(process.versions.node, 10) >= 24
    ? []
    : [`In the checkout the examples need Node 24 or newer; this is ${process.version}. Elsewhere 22 will do.`]),
  ...(names.includes(name) ? [] : [`Name one of them: ${names.join(', ')}.`]),
  ...(process.env.PETSTORE_KEY
    ? []
    : ['Set PETSTORE_KEY to an API key; PETSTORE_URL is http://127.0.0.1:8080/v1 unless set.']),
]
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 2
else {
  const url = new URL('../client/src/index.ts', folder).href
  modules.registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'petstore-client' ? { url, shortCircuit: true } : next(specifier, context),
  })
  await import(new URL(`${name}.mjs`, folder).href)
}
