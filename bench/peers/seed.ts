/** Makes the database of the Express and the NestJS peer. Arguments: the file, and a JSON file of the animals. */
import { readFileSync } from 'node:fs'
import { Pets } from './pets.js'

const [file = '', animals = ''] = process.argv.slice(2)
new Pets(file).addAll(JSON.parse(readFileSync(animals, 'utf8')).pets)
