/** One page of animals as rows of the table, which is drawn only once as long as the list is the same. */
import { computed, useComputed } from '@preact/signals'
import type { TargetedEvent, TargetedMouseEvent } from 'preact'
import { startOrder } from '../changes/order.ts'
import { PetStatus } from '../parts/parts.tsx'
import { go, hrefOf } from '../state/address.ts'
import type { ShownPet } from '../state/animals.ts'
import { categoryName } from '../state/catalogue.ts'
import { pick, selected } from '../state/selection.ts'
import { can } from '../state/session.ts'

/** The address without the open animal, so that opening an animal does not draw the list again. */
const hrefOfPet = computed(() => {
  const list = hrefOf({ pet: undefined })
  return `${list}${list.includes('?') ? '&' : '?'}pet=`
})

/** The name of an animal, which opens it. */
export const Name = ({ id, name }: { id: bigint; name: string }) => (
  <a class="name" dir="auto" href={hrefOfPet.value + id}>
    {name}
  </a>
)

/** Both actions only open a form, so that a click on the wrong row changes nothing. */
const Actions = ({ status, name }: ShownPet) =>
  status === 'available' &&
  can('orders:write') && (
    <>
      <button type="button" class="reserve">
        Reserve
        <span class="hidden">
          {' '}
          <bdi>{name}</bdi>
        </span>
      </button>
      <button type="button" class="sell">
        Sell
        <span class="hidden">
          {' '}
          <bdi>{name}</bdi>
        </span>
      </button>
    </>
  )

/** The parts are functions that are called. As components they would double the time until the page is first drawn. */
const row = (pet: ShownPet, picked: ReadonlySet<string> | undefined) => (
  <tr class="row item" role="row" key={pet.id} data-id={pet.id}>
    {picked && (
      <td role="cell">
        <label class="pick">
          <input type="checkbox" checked={picked.has(String(pet.id))} />
          <span class="hidden">
            Select <bdi>{pet.name}</bdi>
          </span>
        </label>
      </td>
    )}
    <td role="cell" class="id">
      {pet.id}
    </td>
    <td role="cell">{Name(pet)}</td>
    <td role="cell" class="category" dir="auto">
      {categoryName(pet.categoryId)}
    </td>
    <td role="cell">{PetStatus(pet)}</td>
    <td role="cell" class="do">
      {Actions(pet)}
    </td>
  </tr>
)

/** Whether the user is marking text in the row, and does not want to open it. */
const isMarking = (): boolean => getSelection()?.type === 'Range'

export function Rows({ pets }: { pets: readonly ShownPet[] }) {
  // A text stays equal while animals on other pages are selected, so that this page is not drawn again.
  const ids = useComputed(() =>
    selected.value === null ? undefined : pets.flatMap(({ id }) => (selected.value?.has(id) ? id : [])).join(),
  ).value
  const picked = ids === undefined ? undefined : new Set(ids.split(','))
  const petAt = (target: EventTarget | null) => {
    const id = target instanceof Element && target.closest<HTMLElement>('.item')?.dataset.id
    return pets.find((pet) => String(pet.id) === id)
  }
  const onPick = ({ target }: TargetedEvent<HTMLElement>) => {
    const id = petAt(target)?.id
    if (id !== undefined && target instanceof HTMLInputElement) pick(id, target.checked)
  }
  // There is one listener for all rows. Two listeners for each row took a third of the time for a page.
  const onClick = (event: TargetedMouseEvent<HTMLElement>) => {
    const { target } = event
    const pet = petAt(target)
    if (!pet || !(target instanceof Element)) return
    if (target.closest('.reserve')) return startOrder(pet, 'reserve', true)
    if (target.closest('.sell')) return startOrder(pet, 'sell', true)
    const isLink = target.closest('a') !== null
    if (target.closest('.pick') || (!isLink && isMarking())) return
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    go({ pet: pet.id })
  }
  return (
    <tbody class="chunk" role="rowgroup" style={{ '--count': pets.length }} onClick={onClick} onChange={onPick}>
      {pets.map((pet) => row(pet, picked))}
    </tbody>
  )
}
