/** Whose an order is, and until when the animal is held: as it is, and to be changed. */
import type { TargetedEvent, VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Order } from '../../../client/src/types.ts'
import { saveOrder } from './changes.ts'
import { Fault, html, Time } from './parts.ts'
import { can } from './session.ts'
import type { ShownPet } from './state.ts'

/** As a field for a date and a time takes it: of this place, to the minute. */
const localTime = (at: string): string => {
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export function OrderFields({ pet, order }: { pet: ShownPet; order: Order }): VNode {
  const [isOpen, setOpen] = useState(false)
  const { id, status, reference = '', heldUntil } = order
  const isPlaced = status === 'placed'
  if (!isOpen)
    return html`<span class="order-facts">
      ${reference && html`<span>For <bdi>${reference}</bdi></span>`}
      ${isPlaced && heldUntil && html`<span>Held until <${Time} at=${heldUntil} /></span>`}
      ${
        can('orders:write') &&
        html`<button type="button" class="plain" onClick=${() => setOpen(true)}>
          ${reference ? 'Change' : 'For whom?'}<span class="hidden"> (order ${id})</span>
        </button>`
      }
    </span>`
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [text, until] = [String(form.get('reference')).trim(), String(form.get('until') ?? '')]
    const wasUntil = heldUntil ? localTime(heldUntil) : ''
    const body = {
      ...(text !== reference && { reference: text }),
      ...(isPlaced && until !== wasUntil && { heldUntil: until ? new Date(until).toISOString() : null }),
    }
    if (Object.keys(body).length === 0 || (await saveOrder(pet, order, body))) setOpen(false)
  }
  return html`<form class="fields" onSubmit=${submit}>
    <label>
      For whom
      <input
        name="reference"
        dir="auto"
        maxlength="256"
        autofocus
        required=${reference !== ''}
        defaultValue=${reference}
      />
    </label>
    <${Fault} of="hold ${id}" field="reference" />
    ${
      isPlaced &&
      html`<label>
        Held until
        <input name="until" type="datetime-local" defaultValue=${heldUntil ? localTime(heldUntil) : ''} />
      </label>`
    }
    <${Fault} of="hold ${id}" field="heldUntil" />
    <div class="actions">
      <button class="primary">Save</button>
      <button type="button" onClick=${() => setOpen(false)}>Cancel</button>
    </div>
  </form>`
}
