/** The orders: those of a state or of a search, for whom and until when, with what can be done about each. */
import type { TargetedMouseEvent } from 'preact'
import { cancelOrder, handOver, takeBack } from '../changes/order.ts'
import { Freshness } from '../parts/freshness.tsx'
import { Deed, follow, Time, typed } from '../parts/parts.tsx'
import { wordsOf } from '../refusals.ts'
import { address, go, hrefOf, type OrderTab, orderTabs, searchLength } from '../state/address.ts'
import { now } from '../state/clock.ts'
import { busy } from '../state/forms.ts'
import { loadMoreOrders, loadOrders, orderCounts, orders, type ShownOrder } from '../state/orders.ts'
import { sought, typeSearch } from '../state/search.ts'
import { can } from '../state/session.ts'
import { distanceText } from '../times.ts'
import { capital, number, ordersOf, orderWords } from '../words.ts'
import { More } from './animals.tsx'

const tabWords = (tab: OrderTab): string => (tab === 'due' ? 'Due today' : capital(orderWords[tab]))

export const Orders = () => (
  <>
    <Toolbar />
    <List />
  </>
)

function Toolbar() {
  const { tab = 'placed', find } = address.value
  const part = (each: OrderTab) => {
    const count = orderCounts.value?.[each === 'due' ? 'dueToday' : each]
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

const columns = ['For whom', 'Animal', 'Until', 'Status', 'Order']

function List() {
  const { items, next, isLoading, failure } = orders.value
  const more = address.value.find ? ' found' : next ? ' shown, more to come' : ''
  return (
    <section class="catalogue orders" aria-label="Orders" aria-busy={isLoading}>
      <div class="found">
        <p role="status">
          {isLoading && items.length === 0 ? 'Loading…' : items.length > 0 && `${ordersOf(items.length)}${more}`}
        </p>
        <Freshness />
      </div>
      {items.length > 0 && (
        <table role="table">
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((name) => (
                <th key={name} role="columnheader" scope="col">
                  {name}
                </th>
              ))}
              <td role="cell" />
            </tr>
          </thead>
          <tbody role="rowgroup">
            {items.map((each) => (
              <Row key={each.order.id} {...each} />
            ))}
          </tbody>
        </table>
      )}
      {failure ? <Failed failure={failure} /> : !isLoading && items.length === 0 && <Empty />}
      {next && !failure && <More at={items.length} onMore={loadMoreOrders} />}
    </section>
  )
}

const Failed = ({ failure }: { failure: unknown }) => (
  <div class="notice" role="alert">
    <h2>The orders could not be loaded</h2>
    <p>{wordsOf(failure)}</p>
    <p>
      <button type="button" onClick={orders.value.items.length > 0 ? loadMoreOrders : loadOrders}>
        Try again
      </button>
    </p>
  </div>
)

function Empty() {
  const { find, tab = 'placed' } = address.value
  if (find)
    return (
      <div class="notice">
        <h2>Nothing matches</h2>
        <p>A search finds how words begin of the name of the customer or of the animal, or a number.</p>
      </div>
    )
  return (
    <div class="notice">
      <h2>No orders here</h2>
      <p>
        {tab === 'placed' ? 'No animal is reserved.' : tab === 'due' ? 'Nothing ends today.' : `No order is ${tab}.`}
      </p>
    </div>
  )
}

/** Then somebody should call. */
const soonMs = 4 * 3_600_000

function Ends({ order }: Pick<ShownOrder, 'order'>) {
  const { status, heldUntil, completedAt, updatedAt } = order
  if (status !== 'placed') return <Time at={status === 'completed' ? (completedAt ?? updatedAt) : updatedAt} />
  if (!heldUntil) return <span class="quiet">Until cancelled</span>
  const isSoon = Date.parse(heldUntil) - now.value < soonMs
  return (
    <>
      <Time at={heldUntil} />{' '}
      <span class={isSoon ? 'soon' : 'quiet'}>{`ends ${distanceText(heldUntil, now.value)}`}</span>
    </>
  )
}

/** Each action has a column of its own, so that none appears where another one was. */
function Row({ order, pet }: ShownOrder) {
  const { id, status, reference } = order
  const to = { pet: pet.id }
  const of = `order ${id}, ${pet.name}`
  const isBusy = busy.value.has(`move ${id}`)
  const open = (event: TargetedMouseEvent<HTMLElement>) => {
    const isButton = event.target instanceof Element && event.target.closest('button')
    if (!isButton && event.detail < 2 && getSelection()?.type !== 'Range') follow(() => go(to))(event)
  }
  return (
    <tr class="row item" role="row" data-id={id} onClick={open}>
      <td role="cell" class="for" dir="auto">
        {reference ?? <span class="quiet">No name</span>}
      </td>
      <td role="cell">
        <a class="name" href={hrefOf(to)}>
          <bdi>{pet.name}</bdi>
        </a>
      </td>
      <td role="cell" class="ends">
        <Ends order={order} />
      </td>
      <td role="cell">
        <span class={`status ${status}`}>{orderWords[status]}</span>
      </td>
      <td role="cell" class="id">
        {id}
      </td>
      <td role="cell" class="do slots">
        {can('orders:write') && status === 'placed' && (
          <>
            <Deed label="Hand over" of={of} kind="first" isBusy={isBusy} onDo={() => handOver(pet, order)} />
            <Deed label="Cancel" of={of} kind="second" isBusy={isBusy} onDo={() => cancelOrder(pet, order)} />
          </>
        )}
        {can('orders:write') && status === 'completed' && (
          <Deed label="Take back" of={of} kind="third" isBusy={isBusy} onDo={() => takeBack(pet, order)} />
        )}
      </td>
    </tr>
  )
}
