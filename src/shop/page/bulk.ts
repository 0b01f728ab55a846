/** One thing done to all animals that are selected: what can be done, the bar that offers it, and the sheet that says what was refused. */
import type { TargetedEvent, VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { KeyScope, Pet, PetPatch } from '../../../client/src/types.ts'
import { categoryOptions } from './categories.ts'
import { asIn } from './changes.ts'
import { refresh } from './load.ts'
import { animals, html, number, Sheet, typed } from './parts.ts'
import { chosenPages, runTask } from './save.ts'
import { can, isFinal, petstore, wordsOf } from './session.ts'
import { categories, categoryName, message, report, selected, sheet, task, tell } from './state.ts'

type Undo = () => Promise<unknown>

interface Action {
  readonly label: string
  readonly scopes: readonly KeyScope[]
  /** What is said before the number of animals. */
  readonly done: (category: bigint) => string
  /** Resolves with its way back, where the service has one. */
  readonly run: (pet: Pet, category: bigint) => Promise<Undo | undefined>
}

class Refusal extends Error {}

async function moveOrder({ id }: Pet, verb: 'complete' | 'cancel'): Promise<undefined> {
  const { items } = await petstore().orders.list({ petId: id, status: 'placed' }).page()
  if (!items[0]) throw new Refusal('Nobody has ordered it.')
  await petstore().orders[verb](items[0].id)
}

async function patch(pet: Pet, body: PetPatch): Promise<Undo> {
  const saved = await petstore().pets.update(pet.id, body)
  return () => petstore().pets.update(pet.id, asIn(pet, body), { ifMatch: saved })
}

const ordering = ['orders:read', 'orders:write'] as const
const actions: Readonly<Record<string, Action>> = {
  order: {
    label: 'Order',
    scopes: ordering,
    done: () => 'Reserved',
    run: async ({ id }) => {
      const order = await petstore().orders.place({ petId: id })
      return () => petstore().orders.cancel(order.id)
    },
  },
  complete: {
    label: 'Complete the orders',
    scopes: ordering,
    done: () => 'Sold',
    run: (pet) => moveOrder(pet, 'complete'),
  },
  cancel: {
    label: 'Cancel the orders',
    scopes: ordering,
    done: () => 'Available again',
    run: (pet) => moveOrder(pet, 'cancel'),
  },
  available: {
    label: 'Mark as available',
    scopes: ['pets:write'],
    done: () => 'Now available',
    run: (pet) => patch(pet, { status: 'available' }),
  },
  pending: {
    label: 'Mark as pending',
    scopes: ['pets:write'],
    done: () => 'Now pending',
    run: (pet) => patch(pet, { status: 'pending' }),
  },
  move: {
    label: 'Move to a category',
    scopes: ['pets:write'],
    done: (category) => `Moved to ${categoryName(category)}`,
    run: (pet, categoryId) => patch(pet, { categoryId }),
  },
  remove: {
    label: 'Remove for good',
    scopes: ['pets:write'],
    done: () => 'Removed',
    run: async ({ id }) => {
      await petstore().pets.delete(id)
      return undefined
    },
  },
}

/** As many requests at once as leave a browser some of its six connections. */
const atOnce = 3

/** Those that are refused stay selected; what is not decided, such as without a connection, ends it. */
const doToAll = ({ label, done, run }: Action, category: bigint): Promise<void> =>
  runTask(label, selected.value?.size, async (step, signal) => {
    const refused: { pet: Pet; why: string }[] = []
    const undos: Undo[] = []
    const waiting = (await Array.fromAsync(chosenPages(signal))).flat()
    const left = new Set(waiting)
    let count = 0
    const work = async () => {
      for (let pet = waiting.shift(); pet && !signal.aborted; pet = waiting.shift()) {
        try {
          const undo = await run(pet, category)
          if (undo) undos.push(undo)
          count++
        } catch (error) {
          if (!isFinal(error) && !(error instanceof Refusal)) throw error
          refused.push({ pet, why: wordsOf(error) })
        }
        left.delete(pet)
        step(1)
      }
    }
    const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, work))
    selected.value = new Set([...refused.map(({ pet }) => pet), ...left].map(({ id }) => id))
    const text = `${done(category)}: ${animals(count)}.${left.size > 0 ? ` Not yet: ${number(left.size)}.` : ''}`
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (refused.length > 0) {
      report.value = { text, refused }
      sheet.value = 'report'
    } else message.value = { text, undo: undos.length > 0 ? () => undoAll(undos) : undefined }
    if (failed) tell(failed.reason)
    await refresh()
  })

const undoAll = (undos: readonly Undo[]): Promise<void> =>
  runTask('Undo', undos.length, async (step) => {
    const outcomes = await Promise.allSettled(undos.map((undo) => undo().finally(() => step(1))))
    const failed = outcomes.filter(({ status }) => status === 'rejected').length
    message.value = {
      text: `Undone: ${animals(outcomes.length - failed)}.${failed > 0 ? ` Changed meanwhile, and left as they are: ${number(failed)}.` : ''}`,
      isError: failed > 0,
    }
    await refresh()
  })

/** What can be done with those that are selected. */
export function SelectionBar({ shown }: { shown: readonly bigint[] }): VNode {
  const [name, choose] = useState('')
  const [category, setCategory] = useState('')
  const action = actions[name]
  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (selected.value?.size === 0) message.value = { text: 'Select some animals first.' }
    else if (action && !task.value) doToAll(action, BigInt(category || (categories.value[0]?.categoryId ?? 0)))
  }
  const count = selected.value?.size ?? 0
  const allowed = Object.entries(actions).filter(([, { scopes }]) => scopes.every(can))
  const isAll = shown.length > 0 && shown.every((id) => selected.value?.has(id))
  const pickAll = () => {
    selected.value = new Set(isAll ? [] : [...(selected.value ?? []), ...shown])
  }
  return html`<form class="bulk" aria-label="Selection" onSubmit=${submit}>
    <p role="status">${number(count)} selected</p>
    <button type="button" onClick=${pickAll}>${isAll ? 'Select none' : 'Select all shown'}</button>
    ${
      allowed.length > 0 &&
      html`<label><span class="hidden">What to do with them</span>
        <select required value=${name} onChange=${typed(choose)}>
          <option value="">Do to all…</option>
          ${allowed.map(([each, { label }]) => html`<option value=${each}>${label}</option>`)}
        </select></label>
      ${name === 'move' && html`<label><span class="hidden">To which category</span><select value=${category} onChange=${typed(setCategory)}>${categoryOptions()}</select></label>`}
      <button class="primary">${action?.label.split(' ')[0] ?? 'Do it'}</button>`
    }
  </form>`
}

/** What was refused, of each animal why. */
export const Refused = ({ onClose }: { onClose: () => void }): VNode => {
  const { text, refused } = report.value ?? { text: '', refused: [] }
  return html`<${Sheet} title="Not all of them" onClose=${onClose}>
    <p>${text}</p>
    <p>${number(refused.length)} refused, and still selected:</p>
    <ul class="refused">${refused.map(({ pet, why }) => html`<li key=${pet.id}><strong dir="auto">${pet.name}</strong> ${why}</li>`)}</ul>
  <//>`
}
