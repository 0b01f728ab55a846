/** The orders of a state or of a search, with their customers, their ends, and their actions. */
import { computed } from '@preact/signals'
import type { TargetedMouseEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { cancelOrder, handOver, startChange, takeBack } from '../changes/order.ts'
import { Freshness } from '../parts/freshness.tsx'
import { Deed, follow, Time, typed } from '../parts/parts.tsx'
import { wordsOf } from '../refusals.ts'
import { address, go, type OrderTab, orderTabs, searchLength } from '../state/address.ts'
import { now } from '../state/clock.ts'
import { busy } from '../state/forms.ts'
import {
  dueCount,
  isSorted,
  loadMoreOrders,
  loadOrders,
  orderCounts,
  orders,
  type ShownOrder,
  shownOrders,
} from '../state/orders.ts'
import { sought, typeSearch } from '../state/search.ts'
import { can } from '../state/session.ts'
import { distanceText } from '../times.ts'
import { number, ordersOf, orderWords } from '../words.ts'
import { More } from './animals.tsx'
import { Name } from './rows.tsx'
import { PrintedTitle, tabWords } from './title.tsx'

export const Orders = () => (
  <>
    <Toolbar />
    <List />
  </>
)

const countOf = (tab: OrderTab): number | undefined => (tab === 'due' ? dueCount.value : orderCounts.value?.[tab])

/** Whether this list was opened by a click on its tab with a precise pointer such as a mouse. */
const isOpenedByMouse = (): boolean =>
  document.activeElement?.matches('nav a:not(:focus-visible)') === true && matchMedia('(pointer: fine)').matches

function Toolbar() {
  const { tab = 'placed', find } = address.value
  const field = useRef<HTMLInputElement>(null)
  // Saves a click on the field. On a touch screen, the keyboard would cover half of the list.
  useEffect(() => {
    if (isOpenedByMouse()) field.current?.focus()
  }, [])
  const part = (each: OrderTab) => {
    const count = countOf(each)
    const show = () => {
      typeSearch('find', '')
      go({ tab: each === 'placed' ? undefined : each, find: undefined })
    }
    return (
      <button key={each} type="button" aria-pressed={!find && tab === each} onClick={show}>
        {tabWords(each)} <span class="count">{count !== undefined && number(count)}</span>
      </button>
    )
  }
  return (
    <div class="toolbar">
      <label class="search">
        <span class="hidden">Search all orders</span>
        <input
          ref={field}
          id="search"
          type="search"
          placeholder="Search by name, animal or number"
          aria-keyshortcuts="/"
          maxlength={searchLength}
          autocomplete="off"
          value={sought.value}
          onInput={typed((text) => typeSearch('find', text))}
        />
      </label>
      <div class="statuses" role="group" aria-label="Status">
        {orderTabs.map(part)}
      </div>
    </div>
  )
}

/** Says how many orders are listed, of how many, and in which order. */
function summaryOf(shown: number): string {
  const { isLoading, next } = orders.value
  const { tab = 'placed', find } = address.value
  if (shown === 0) return isLoading ? 'Loading…' : ''
  if (find) return next ? `${ordersOf(shown)} found so far` : `${ordersOf(shown)} found`
  const count = Math.max(countOf(tab) ?? 0, shown)
  const many = shown < count ? `${number(shown)} of ${ordersOf(count)}` : ordersOf(shown)
  const order = orders.value.isBySoonest ? 'what ends first on top' : 'the newest on top'
  return shown > 1 && isSorted.value ? `${many}, ${order}` : many
}

function List() {
  const { chunks, waiting, next, isLoading, failure } = orders.value
  const shown = shownOrders.value.length
  const columns = ['Order', 'Animal', 'For whom', ofTab.value === 'placed' ? 'Until' : 'When']
  return (
    <section class="catalogue orders" aria-label="Orders" aria-busy={isLoading}>
      <div class="found">
        <PrintedTitle />
        <p role="status">{summaryOf(shown)}</p>
        {!isSorted.value && !isLoading && (
          <button type="button" class="plain" onClick={loadOrders}>
            Sort again
          </button>
        )}
        <Freshness />
      </div>
      {shown > 0 && (
        <table role="table">
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((name) => (
                <th key={name} role="columnheader" scope="col">
                  {name}
                </th>
              ))}
              <th role="columnheader" scope="col">
                <span class={ofTab.value && 'hidden'}>Status</span>
              </th>
              <td role="cell" />
            </tr>
          </thead>
          {chunks.map((items, at) => (
            <Rows key={at} items={items} />
          ))}
        </table>
      )}
      {failure ? <Failed failure={failure} /> : !isLoading && shown === 0 && <Empty />}
      {(next || waiting.length > 0) && !failure && shown > 0 && <More at={shown} onMore={loadMoreOrders} />}
    </section>
  )
}

const Failed = ({ failure }: { failure: unknown }) => (
  <div class="notice" role="alert">
    <h2>The orders could not be loaded</h2>
    <p>{wordsOf(failure)}</p>
    <p>
      <button type="button" onClick={shownOrders.value.length > 0 ? loadMoreOrders : loadOrders}>
        Try again
      </button>
    </p>
  </div>
)

function Empty() {
  const { find, tab = 'placed' } = address.value
  if (find && orders.value.next)
    return (
      <div class="notice">
        <h2>Nothing yet</h2>
        <p>None of the newest orders matches. There are older ones to search.</p>
        <p>
          <button type="button" onClick={loadMoreOrders}>
            Search the older ones
          </button>
        </p>
      </div>
    )
  if (find)
    return (
      <div class="notice">
        <h2>Nothing matches</h2>
        <p>
          A search finds how words begin, of the name for whom an order is or of its animal; or the number of either.
        </p>
      </div>
    )
  return (
    <div class="notice">
      <h2>No orders here</h2>
      <p>
        {tab === 'placed'
          ? 'No animal is reserved.'
          : tab === 'due'
            ? 'No reservation ends today.'
            : `No order is ${orderWords[tab]}.`}
      </p>
    </div>
  )
}

/** If less time is left, somebody should call the customer. */
const soonMs = 4 * 3_600_000

/** Shows how much time is left, and counts down. */
function Left({ heldUntil }: { heldUntil: string }) {
  const left = Date.parse(heldUntil) - now.value
  const text = left > 0 ? `ends ${distanceText(heldUntil, now.value)}` : 'has ended'
  return <span class={left < soonMs ? 'soon' : 'quiet'}>{text}</span>
}

function Ends({ order }: Pick<ShownOrder, 'order'>) {
  const { status, heldUntil, completedAt, updatedAt } = order
  if (status !== 'placed') return <Time at={status === 'completed' ? (completedAt ?? updatedAt) : updatedAt} />
  if (!heldUntil) return <span>Until cancelled</span>
  return (
    <>
      <Time at={heldUntil} /> <Left heldUntil={heldUntil} />
    </>
  )
}

/**
 * The actions of an order. An action that takes effect immediately has its own column. The others ask first, or open a
 * form, so that a misplaced click changes nothing.
 */
function Deeds({ order, pet }: ShownOrder) {
  const { id, status } = order
  const of = `order ${id}, ${pet.name}`
  const isBusy = busy.value.has(`move ${id}`)
  if (!can('orders:write')) return null
  const change = (
    <Deed
      key="Change"
      label="Change"
      of={of}
      kind="second"
      isBusy={isBusy}
      onDo={() => startChange(pet, order, true)}
    />
  )
  if (status === 'placed')
    return (
      <>
        <Deed
          key="Hand over"
          label="Hand over"
          of={of}
          kind="first"
          isBusy={isBusy}
          onDo={() => handOver(pet, order)}
        />
        {change}
        <Deed key="Cancel" label="Cancel" of={of} kind="third" isBusy={isBusy} onDo={() => cancelOrder(pet, order)} />
      </>
    )
  if (status !== 'completed') return null
  return (
    <>
      {change}
      <Deed key="Take back" label="Take back" of={of} kind="third" isBusy={isBusy} onDo={() => takeBack(pet, order)} />
    </>
  )
}

/** Opens the animal after a click anywhere in the row, unless the user is marking text in it. */
function opensAnimal(event: TargetedMouseEvent<HTMLElement>, id: bigint): void {
  const isButton = event.target instanceof Element && event.target.closest('button')
  if (!isButton && event.detail < 2 && getSelection()?.type !== 'Range') follow(() => go({ pet: id }))(event)
}

/** The state of the tab is not repeated in every row, so that an order whose state has changed meanwhile stands out. */
const ofTab = computed(() => {
  const { tab = 'placed', find } = address.value
  return find ? undefined : tab === 'due' ? 'placed' : tab
})

const row = ({ order, pet }: ShownOrder) => (
  <tr class="row item" role="row" key={order.id} data-id={order.id} onClick={(event) => opensAnimal(event, pet.id)}>
    <td role="cell" class="id">
      {order.id}
    </td>
    <td role="cell">
      <Name id={pet.id} name={pet.name} />
    </td>
    <td role="cell" class="for" dir="auto">
      {order.reference ?? <span class="quiet">No name</span>}
    </td>
    <td role="cell" class="ends">
      <Ends order={order} />
    </td>
    <td role="cell">
      <span class={`status ${order.status} ${order.status === ofTab.value ? 'hidden' : ''}`}>
        {orderWords[order.status]}
      </span>
    </td>
    <td role="cell" class="do slots">
      <Deeds order={order} pet={pet} />
    </td>
  </tr>
)

/** A part of the list, which is drawn again only if something in it changes. */
const Rows = ({ items }: { items: readonly ShownOrder[] }) => (
  <tbody class="chunk" role="rowgroup" style={{ '--count': items.length }}>
    {items.map(row)}
  </tbody>
)
