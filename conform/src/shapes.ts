/**
 * The bodies of the interface as patterns, which list what each must contain. Further members are allowed unless a rule
 * says otherwise.
 */
import type { Expected } from './expect.ts'
import { bool, integer, listOf, type Matcher, oneOf, optional, text, time } from './pattern.ts'

const Status = oneOf('available', 'pending', 'sold')
const ErrorBody = { code: text, message: text, status: integer }
export const Pet = { id: integer, name: text, categoryId: integer, status: optional(Status) }
const OrderStatus = oneOf('placed', 'completed', 'cancelled', 'returned', 'expired')
export const Order = {
  id: integer,
  petId: integer,
  status: OrderStatus,
  reference: optional(text),
  heldUntil: optional(time),
  createdAt: time,
  updatedAt: time,
  completedAt: optional(time),
}
export const Category = { id: integer, name: text }
export const Event = { id: integer, type: text, at: time, data: {} }
export const Webhook = { id: integer, url: text, types: listOf(text), enabled: bool, createdAt: time }
export const Day = { day: text, added: integer, sold: integer, returned: integer }

/** An error with its status in the body, and a message that says something. */
export const failed = (status: number): Expected => ({
  status,
  body: { ...ErrorBody, status, code: /./, message: /./ },
})
/** An error with its code, and a message that names what is wrong. */
export const refused = (status: number, code: string, message: RegExp | Matcher = /./): Expected => ({
  status,
  code,
  body: { ...ErrorBody, status, message },
})
export const json = { 'Content-Type': /^application\/json\b/i }
export const jsonInUtf8 = { 'Content-Type': 'application/json; charset=utf-8' }
