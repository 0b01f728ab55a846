/**
 * One thing done to all animals that are selected: what can be done, the bar that offers it, and the sheet that says
 * what was refused.
 */
import type { TargetedEvent, VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { KeyScope, Pet, PetPatch } from '../../../client/src/types.ts'
import { categoryChoices } from './categories.ts'
import { asIn } from './changes.ts'
import { Combobox } from './combobox.ts'
import { refresh } from './load.ts'
import { animals, html, number, Sheet, typed } from './parts.ts'
import { collect, runTask, selectAll } from './save.ts'
import { can, isFinal, petstore, wordsOf } from './session.ts'
import { categoryName, next, type Refused, refused, selected, sheet, showMessage, task, total } from './state.ts'

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

/** Its way back orders the animal anew, taken back first if it was sold. */
async function moveOrder({ id }: Pet, verb: 'complete' | 'cancel'): Promise<Undo> {
  const { orders } = petstore()
  const [order] = (await orders.list({ petId: id, status: 'placed' }).page()).items
  if (!order) throw new Refusal('Nobody has ordered it.')
  await orders[verb](order.id)
  return async () => {
    if (verb === 'complete') await orders.return(order.id)
    await orders.place({ petId: id, ...(order.reference && { reference: order.reference }) })
  }
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

/**
 * Those that are refused stay selected. So do those that are left when it is stopped, or when the service has not
 * decided.
 */
const doToAll = ({ label, done, run }: Action, category: bigint): Promise<void> =>
  runTask(label, selected.value?.size, async (step, signal) => {
    const left = new Set(selected.value)
    const bad: Refused[] = []
    const undos: Undo[] = []
    let failure: unknown
    const pets = await collect(signal).catch((error) => {
      failure = error
      return []
    })
    // Somebody else may have removed one.
    const ids = new Set(pets.map(({ id }) => id))
    if (!failure) for (const id of left) if (!ids.has(id)) left.delete(id)
    // To be stopped is no failure; but only here, as what is not known to be there was left above.
    if (signal.aborted) failure = undefined
    const count = left.size
    const tryOne = async (pet: Pet) => {
      try {
        const undo = await run(pet, category)
        if (undo) undos.push(undo)
      } catch (error) {
        if (isFinal(error) || error instanceof Refusal) bad.push({ pet, why: wordsOf(error) })
        else return void (failure = error)
      }
      left.delete(pet.id)
      step(1)
    }
    const next = pets.values()
    const work = async () => {
      for (const pet of next) {
        if (signal.aborted || failure) return
        await tryOne(pet)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    const texts = [`${done(category)}: ${animals(count - left.size - bad.length)}.`]
    if (left.size > 0) texts.push(`Not yet: ${number(left.size)}.`)
    if (failure) texts.push(wordsOf(failure))
    selected.value = new Set([...bad.map(({ pet }) => pet.id), ...left])
    const undo = undos.length > 0 ? () => undoAll(undos) : undefined
    showMessage({ text: texts.join(' '), isError: failure !== undefined, undo })
    if (bad.length > 0) {
      refused.value = bad
      sheet.value = 'refused'
    }
    refresh()
  })

const undoAll = (undos: readonly Undo[]): Promise<void> =>
  runTask('Undo', undos.length, async (step) => {
    let failed = 0
    for (const undo of undos) {
      await undo().catch(() => failed++)
      step(1)
    }
    const kept = failed > 0 ? ` Changed meanwhile, and left as they are: ${number(failed)}.` : ''
    showMessage({ text: `Undone: ${animals(undos.length - failed)}.${kept}`, isError: failed > 0 })
    refresh()
  })

const allowed = (): [string, Action][] => Object.entries(actions).filter(([, { scopes }]) => scopes.every(can))
/** Whether there is anything that this key may do with animals that are selected. */
export const canSelect = (): boolean => allowed().length > 0

/** What can be done with those that are selected. */
export function SelectionBar({ shown }: { shown: readonly bigint[] }): VNode {
  const [name, choose] = useState('')
  const [wanted, setCategory] = useState('')
  const action = actions[name]
  const count = selected.value?.size ?? 0
  const question = `Remove ${animals(count)} for good? Nobody can bring them back.`
  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (count === 0) showMessage({ text: 'Select some animals first.' })
    else if (action && !task.value && (name !== 'remove' || confirm(question))) doToAll(action, BigInt(wanted || 0))
  }
  const isAll = count > 0 && shown.every((id) => selected.value?.has(id)) && (count === total.value || !next.value)
  const pickAll = () => {
    if (isAll) selected.value = new Set()
    else selectAll()
  }
  const leave = () => {
    selected.value = null
  }
  return html`<form class="bulk" aria-label="Selection" onSubmit=${submit}>
    <p role="status">${number(count)} selected</p>
    <button type="button" onClick=${pickAll}>
      ${isAll ? 'Select none' : `Select all ${total.value === undefined ? 'found' : number(total.value)}`}
    </button>
    <label><span class="hidden">What to do with them</span>
        <select required value=${name} onChange=${typed(choose)}>
          <option value="">Do to all…</option>
          ${allowed().map(([each, { label }]) => html`<option value=${each}>${label}</option>`)}
        </select></label>
    ${
      name === 'move' &&
      html`<${Combobox}
        label="To which category"
        placeholder="To which category"
        required
        text=${wanted && categoryName(BigInt(wanted))}
        choices=${categoryChoices()}
        onPick=${setCategory}
      />`
    }
    <button class="primary">${action?.label.split(' ')[0] ?? 'Do it'}</button>
    <button type="button" class="plain" onClick=${leave}>Done</button>
  </form>`
}

/** Which were refused, and why. */
export const RefusedSheet = ({
  onClose,
}: {
  onClose: () => void
}): VNode => html`<${Sheet} title="Not all of them" onClose=${onClose}>
    <p>${number(refused.value.length)} refused, and still selected:</p>
    <ul class="refused">
      ${refused.value.map(
        ({ pet, why }) => html`<li key=${pet.id}><strong dir="auto">${pet.name}</strong> ${why}</li>`,
      )}
    </ul>
  <//>`
