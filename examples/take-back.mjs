// @ts-check
/**
 * A return: a customer brings back the animal that was sold last, and it is for sale again.
 *
 * Run it after first-sale: PETSTORE_KEY=pst_… npm run example take-back
 */
import { PetStore } from 'petstore-client'

const { PETSTORE_URL = 'http://127.0.0.1:8080/v1', PETSTORE_KEY = '' } = process.env
const petstore = new PetStore({ baseUrl: PETSTORE_URL, apiKey: PETSTORE_KEY })

const [sale] = await petstore.orders.list({ status: 'completed', order: 'desc' }).toArray({ limit: 1 })
if (sale) {
  const returned = await petstore.orders.return(sale.id)
  console.log(`order ${returned.id} of ${sale.reference ?? 'a customer'} is ${returned.status}`)

  const { name, status } = await petstore.pets.get(sale.petId)
  console.log(`${name} is ${status}`)
} else console.log('nothing was sold yet')
