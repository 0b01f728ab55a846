/** The selection of animals: the bar with its actions, and the sheets for them. */
import type { TargetedEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { excessOf } from '../changes/order.ts'
import { moveSelected, reserveSelected, selectAll, selectedMax, several } from '../changes/several.ts'
import { Combobox } from '../parts/combobox.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { hasMore, isFitting, lists, total } from '../state/animals.ts'
import { categoryName } from '../state/catalogue.ts'
import { nameDraftOf, orderDraftOf, putName, putOrderDraft } from '../state/drafts.ts'
import { refused, select, selected } from '../state/selection.ts'
import { can } from '../state/session.ts'
import { openSheet } from '../state/sheets.ts'
import { markStale } from '../state/stale.ts'
import type { Until } from '../until.ts'
import { animals, number } from '../words.ts'
import { categoryChoices, type Wanted, wantedBy } from './categories.tsx'
import { OrderFields } from './order-form.tsx'

const canMove = (): boolean => can('pets:read', 'pets:write')
const canReserve = (): boolean => can('pets:read', 'orders:write')
export const canSelect = (): boolean => canMove() || canReserve()

export function SelectionBar() {
  const bar = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--bulk', `${bar.current?.offsetHeight ?? 0}px`))
    if (bar.current) observer.observe(bar.current)
    return () => {
      observer.disconnect()
      style.removeProperty('--bulk')
    }
  }, [])
  const { category = '', text: newCategory = '' } = nameDraftOf('move') ?? {}
  const wanted: Wanted = { category, newCategory }
  const setWanted = ({ category, newCategory }: Wanted) => putName('move', { category, text: newCategory })
  const chosen = selected.value ?? new Set<bigint>()
  // The list also shows animals that somebody else has changed since, and does not show all new ones.
  const fitting = lists.value.flat().filter(isFitting)
  // Nobody knows how many animals a search finds before all its pages are read.
  const all = total.value ?? (hasMore.value ? undefined : fitting.length)
  const isEachShown = !hasMore.value && all === fitting.length
  const isAll = isEachShown && fitting.every(({ id }) => chosen.has(id))
  const chooseAll = () => (isEachShown ? select([...chosen, ...fitting.map(({ id }) => id)]) : selectAll())
  const isNone = chosen.size === 0
  const isWanted = Boolean(wanted.category || wanted.newCategory.trim())
  const move = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A category with this name may have been created since.
    const { category, newCategory } = wanted.category ? wanted : wantedBy(wanted.newCategory)
    if (!isNone && isWanted) moveSelected(category, newCategory)
  }
  const leave = () => {
    select(null)
    putName('move', null)
  }
  return (
    <form class="bulk" ref={bar} onSubmit={move} aria-label="What is selected">
      <p role="status">{number(chosen.size)} selected</p>
      <button type="button" disabled={isAll} onClick={chooseAll}>
        Select all{all !== undefined && ` ${number(Math.min(all, selectedMax))}`}
      </button>
      {canReserve() && (
        <button type="button" disabled={isNone} onClick={() => openSheet('reserve')}>
          Reserve…
        </button>
      )}
      {canMove() && (
        <>
          <Combobox
            label="To which category"
            placeholder="To a category"
            text={wanted.category ? categoryName(BigInt(wanted.category)) : wanted.newCategory}
            choices={categoryChoices()}
            onPick={(category) => setWanted({ category, newCategory: '' })}
            onType={(text) => setWanted(wantedBy(text))}
            onOpen={() => markStale({ categories: true })}
          />
          <button type="submit" class="primary" disabled={isNone || !isWanted}>
            Move
          </button>
        </>
      )}
      <button type="button" class="plain" onClick={leave}>
        Done
      </button>
    </form>
  )
}

/** The form that reserves all selected animals for one customer. */
export function ReserveSheet({ onClose }: { onClose: () => void }) {
  const isSent = useRef(false)
  const { reference, until } = orderDraftOf(several) ?? { reference: '', until: null }
  const count = animals(selected.value?.size ?? 0)
  const put = (part: { reference?: string; until?: Until }) =>
    putOrderDraft(several, { kind: 'reserve', isOpen: true, reference, until, ...part })
  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (excessOf(reference) > 0) return
    isSent.current = true
    onClose()
  }
  useEffect(
    () => () => {
      const draft = orderDraftOf(several)
      // This waits until the sheet is closed, so that the button that stops the task gets the focus.
      if (isSent.current) setTimeout(() => reserveSelected(draft?.reference ?? '', draft?.until ?? null))
    },
    [],
  )
  return (
    <Sheet title={`Reserve ${count}`} isForm onClose={onClose}>
      <form class="fields order-form" onSubmit={submit}>
        <OrderFields
          of="order"
          reference={reference}
          until={until}
          onReference={(text) => put({ reference: text })}
          onUntil={(next) => put({ until: next })}
        />
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={excessOf(reference) > 0}>
            Reserve {count}
          </button>
        </div>
      </form>
    </Sheet>
  )
}

/** Shows which animals were refused, and why. */
export const RefusedSheet = ({ onClose }: { onClose: () => void }) => (
  <Sheet title="Not all of them" onClose={onClose}>
    <p>Left as they are: {animals(refused.value.length)}.</p>
    <ul class="refused">
      {refused.value.map(({ pet, why }) => (
        <li key={pet.id}>
          <strong dir="auto">{pet.name}</strong> {why}
        </li>
      ))}
    </ul>
  </Sheet>
)
