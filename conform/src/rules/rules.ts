/** Every rule that a pet store can be checked against, in the order of a report. */
import type { Rule } from '../rule.ts'
import { animalRules } from './animals.ts'
import { catalogueRules, openRules } from './catalogue.ts'
import { core } from './core.ts'
import { creatingRules } from './creating.ts'
import { eventRules } from './events.ts'
import { httpRules } from './http.ts'
import { listRules } from './lists.ts'
import { orderRules } from './orders.ts'
import { reservationRules } from './reservations.ts'

export const rules: readonly Rule[] = [
  ...core,
  ...httpRules,
  ...listRules,
  ...creatingRules,
  ...animalRules,
  ...orderRules,
  ...reservationRules,
  ...catalogueRules,
  ...eventRules,
  ...openRules,
]
