/** The form of an order: the customer, and until when the animal is reserved. */
import type { TargetedEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Order } from '../../../../client/src/types.ts'
import {
  excessOf,
  foldOrder,
  keepTheirOrder,
  leaveOrder,
  orderWith,
  readTheirOrder,
  referenceMax,
  saveMyOrder,
  submitOrder,
} from '../changes/order.ts'
import { Conflict } from '../parts/conflict.tsx'
import { Fault, typed } from '../parts/parts.tsx'
import type { ShownPet } from '../state/animals.ts'
import { now } from '../state/clock.ts'
import { type OrderDraft, orderDraftOf, putOrderDraft } from '../state/drafts.ts'
import { busy } from '../state/forms.ts'
import { tell } from '../state/messages.ts'
import { opened } from '../state/opened.ts'
import { me } from '../state/session.ts'
import { clockText, dateText, timeText } from '../times.ts'
import { heldUntilOf, localTime, type Preset, presets, timeOf, type Until } from '../until.ts'
import { orderWords } from '../words.ts'

interface OrderFieldsProps {
  readonly of: string
  readonly reference: string
  /** The end is left out if nothing is reserved. */
  readonly until?: Until | undefined
  readonly isSale?: boolean
  /** Whether the reference must not be empty, because the service can change a reference but not remove it. */
  readonly isNamed?: boolean
  /** Whether an order exists already, whose end stays if nothing is chosen. */
  readonly isPlaced?: boolean
  readonly onReference: (text: string) => void
  readonly onUntil: (until: Until) => void
}

const presetNames: Readonly<Record<Preset, string>> = {
  today: 'Today',
  tomorrow: 'Tomorrow',
  friday: 'Friday',
  week: 'In a week',
  none: 'Until cancelled',
}

/** Writes the weekday and the time of a preset. */
function noteOf(preset: Preset): string {
  const time = timeOf(preset, new Date(now.value))
  if (!time) return 'no end'
  return preset === 'week' ? `${dateText(time, now.value)}, ${clockText(time)}` : clockText(time)
}

interface PresetsProps {
  readonly until: Until
  readonly isPlaced: boolean
  readonly onUntil: (until: Until) => void
}

const Presets = ({ until, isPlaced, onUntil }: PresetsProps) => {
  const chosen = until && 'preset' in until ? until.preset : undefined
  const heldUntil = heldUntilOf(until, new Date(now.value))
  const local = until && 'local' in until ? until.local : heldUntil ? localTime(heldUntil) : ''
  return (
    <fieldset class="until">
      <legend>Reserved until</legend>
      <div class="presets">
        {presets.map((preset) => (
          <button
            key={preset}
            type="button"
            aria-pressed={chosen === preset}
            // The second click of a double click must not choose something else.
            onClick={({ detail }) => detail < 2 && onUntil(chosen === preset ? null : { preset })}
          >
            {presetNames[preset]} <small>{noteOf(preset)}</small>
          </button>
        ))}
        <label class="other">
          <span class="hidden">Another time</span>
          <input
            type="datetime-local"
            value={local}
            onInput={typed((text) => onUntil(text ? { local: text } : null))}
          />
        </label>
      </div>
      <p class="quiet" role="status">
        {heldUntil
          ? `Until ${timeText(heldUntil, now.value)}.`
          : until
            ? 'Until somebody cancels it.'
            : `Nothing chosen: ${isPlaced ? 'the end stays as it is' : 'for as long as the store has set, or else until somebody cancels it'}.`}
      </p>
    </fieldset>
  )
}

export function OrderFields({ of, reference, until, ...others }: OrderFieldsProps) {
  const { isSale = false, isNamed = false, isPlaced = false, ...on } = others
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const excess = excessOf(reference)
  return (
    <>
      <label>
        For whom
        <input
          ref={field}
          name="reference"
          dir="auto"
          autocomplete="off"
          autofocus
          required={isNamed}
          placeholder={isSale ? 'A name, if you want to note one' : 'A name, a telephone number'}
          aria-invalid={excess > 0}
          aria-describedby="reference-fault"
          value={reference}
          onInput={typed(on.onReference)}
        />
      </label>
      {excess > 0 ? (
        <p role="alert" class="refusal" id="reference-fault">
          {referenceMax} characters at most: take {excess} away.
        </p>
      ) : (
        <Fault of={of} field="reference" />
      )}
      {!isSale && until !== undefined && <Presets until={until} isPlaced={isPlaced} onUntil={on.onUntil} />}
      <Fault of={of} field="heldUntil" />
    </>
  )
}

const rows = [
  { label: 'Order', textOf: ({ status }: Order) => orderWords[status] },
  { label: 'For whom', textOf: ({ reference }: Order) => reference ?? 'nobody' },
  {
    label: 'Reserved until',
    textOf: ({ heldUntil }: Order) => (heldUntil ? timeText(heldUntil) : 'cancelled'),
  },
]

const titles = { reserve: 'Reserve', sell: 'Sell', change: 'Save' }

const isLater = (one: Order, other: Order): boolean => one.id === other.id && one.updatedAt > other.updatedAt

export function OrderForm({ pet, draft }: { pet: ShownPet; draft: OrderDraft }) {
  const { kind, reference, until, before, theirs } = draft
  useEffect(
    () => () => {
      // If the key was refused, the form must be there again for the next key.
      if (me.peek()) foldOrder(pet.id)
    },
    [],
  )
  const later = theirs && opened.value?.orders?.find((each) => isLater(each, theirs))
  useEffect(() => {
    if (later) readTheirOrder(pet, later.id).catch(tell)
  }, [later])
  const of = `order ${pet.id}`
  const isBusy = busy.value.has(of)
  const put = (part: Partial<OrderDraft>) =>
    putOrderDraft(pet.id, { ...(orderDraftOf(pet.id) ?? draft), attempt: undefined, ...part })
  if (before && theirs)
    return (
      <Conflict
        what="order"
        rows={rows}
        before={before}
        theirs={theirs}
        mine={orderWith(theirs, draft)}
        isBusy={isBusy}
        onSave={() => saveMyOrder(pet)}
        onKeep={() => keepTheirOrder(pet)}
      />
    )
  const submit = (event: TargetedEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault()
    if (!isBusy) submitOrder(pet)
  }
  const isOpen = before === undefined || before.status === 'placed'
  return (
    <form class="fields order-form" aria-label={`${titles[kind]} ${pet.name}`} onSubmit={submit}>
      <OrderFields
        of={of}
        reference={reference}
        until={isOpen ? until : undefined}
        isSale={kind === 'sell'}
        isNamed={before?.reference !== undefined}
        isPlaced={before !== undefined}
        onReference={(text) => put({ reference: text })}
        onUntil={(next) => put({ until: next })}
      />
      <div class="actions">
        <button
          type="submit"
          class="primary deed"
          aria-disabled={isBusy || excessOf(reference) > 0}
          // The second click of a double click that opened the form must not send it.
          onClick={(event) => event.detail > 1 && event.preventDefault()}
        >
          {titles[kind]}
        </button>
        <button type="button" onClick={() => leaveOrder(pet)}>
          Not now
        </button>
      </div>
    </form>
  )
}
