/** `npm run example NAME`: runs an example, or says what is missing, in JavaScript, which an old Node can read. */
import { readdirSync } from 'node:fs'

const folder = new URL('.', import.meta.url)
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))
const [name] = process.argv.splice(2, 1)
const faults = [
  ...(process.versions.bun || Number.parseInt(process.versions.node, 10) >= 24
    ? []
    : [`The examples need Node 24 or newer; this is ${process.version}.`]),
  ...(names.includes(name) ? [] : [`Name one of them: ${names.join(', ')}.`]),
  ...(process.env.PETSTORE_KEY
    ? []
    : ['Set PETSTORE_KEY to an API key; PETSTORE_URL is http://127.0.0.1:8080/v1 unless set.']),
]
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 2
else await import(new URL(`${name}.ts`, folder).href)
