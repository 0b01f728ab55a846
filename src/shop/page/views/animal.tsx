/** One animal: its fields, its actions, its orders, and its history. */

import type { Order } from '../../../../client/src/types.ts'
import { removePet, startEdit } from '../changes/animal.ts'
import { cancelOrder, handOver, startChange, startOrder, takeBack } from '../changes/order.ts'
import { Deed, Initial, PetStatus, Time } from '../parts/parts.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { codeOf, wordsOf } from '../refusals.ts'
import { address, close } from '../state/address.ts'
import type { ShownPet } from '../state/animals.ts'
import { categoryName } from '../state/catalogue.ts'
import { editOf, orderDraftOf } from '../state/drafts.ts'
import { busy } from '../state/forms.ts'
import { decisive, opened, openPet } from '../state/opened.ts'
import { can } from '../state/session.ts'
import { orderWords } from '../words.ts'
import { EditForm } from './animal-form.tsx'
import { History } from './history.tsx'
import { OrderForm } from './order-form.tsx'

export function Animal() {
  const { pet, orders, failure } = opened.value ?? {}
  const { pet: id } = address.value
  if (!pet) {
    const isGone = codeOf(failure) === 'pet_not_found'
    const title = isGone ? 'No such animal' : failure ? 'Not loaded' : 'Loading…'
    return (
      <Sheet key="animal" title={title} onClose={close}>
        {Boolean(failure) && <p>{wordsOf(failure)}</p>}
        {Boolean(failure) && !isGone && (
          <p>
            <button type="button" onClick={() => id !== undefined && openPet(id)}>
              Try again
            </button>
          </p>
        )}
      </Sheet>
    )
  }
  const edit = can('pets:write') ? editOf(pet.id) : undefined
  const draft = can('orders:write') ? orderDraftOf(pet.id) : undefined
  return (
    <Sheet
      key="animal"
      title={edit?.isOpen ? edit.before.name : pet.name}
      isForm={edit?.isOpen || draft?.isOpen || false}
      onClose={close}
    >
      {edit?.isOpen ? (
        <EditForm draft={edit} />
      ) : (
        <>
          <Facts pet={pet} />
          {draft?.isOpen ? <OrderForm pet={pet} draft={draft} /> : <Actions pet={pet} orders={orders} />}
        </>
      )}
      {can('orders:read') && orders && <Orders orders={orders} />}
      {can('events:read') && <History key={String(pet.id)} />}
    </Sheet>
  )
}

const Facts = ({ pet }: { pet: ShownPet }) => (
  <div class="facts">
    <Initial pet={pet} />
    <dl>
      <div>
        <dt>Status</dt>
        <dd>
          <PetStatus status={pet.status} />
        </dd>
      </div>
      <div>
        <dt>Category</dt>
        <dd dir="auto">{categoryName(pet.categoryId)}</dd>
      </div>
      <div>
        <dt>Number</dt>
        <dd class="digits">{pet.id}</dd>
      </div>
      <div>
        <dt>Category number</dt>
        <dd class="digits">{pet.categoryId}</dd>
      </div>
    </dl>
  </div>
)

/** Shows who an animal is reserved for and until when, or to whom it was sold. */
function Holder({ order: { status, reference, heldUntil } }: { order: Order }) {
  return (
    <p class="holder">
      {status === 'placed' ? 'Reserved' : 'Sold'} {status === 'placed' ? 'for' : 'to'}{' '}
      <strong dir="auto">{reference ?? 'somebody, no name noted'}</strong>
      {status === 'placed' && (
        <span>
          {heldUntil ? (
            <>
              until <Time at={heldUntil} />
            </>
          ) : (
            'until cancelled'
          )}
        </span>
      )}
    </p>
  )
}

/**
 * Each action always has its own column. So an action that takes effect immediately never appears in the place of
 * another one. Actions that share a column ask first, or open a form.
 */
function Actions({ pet, orders }: { pet: ShownPet; orders: readonly Order[] | undefined }) {
  const order = decisive.value
  const isBusy = busy.value.size > 0
  const isThere = pet.status !== 'removed'
  const canOrder = can('orders:write') && isThere
  const { status } = order ?? {}
  return (
    <>
      {order && <Holder order={order} />}
      {canOrder && (
        <div class="slots">
          {pet.status === 'available' && (
            <>
              <Deed
                label="Reserve"
                kind="first primary reserve"
                isBusy={isBusy}
                onDo={() => startOrder(pet, 'reserve')}
              />
              <Deed label="Sell" kind="second sell" isBusy={isBusy} onDo={() => startOrder(pet, 'sell')} />
            </>
          )}
          {order && status === 'placed' && (
            <>
              <Deed label="Change" kind="first" isBusy={isBusy} onDo={() => startChange(pet, order)} />
              <Deed label="Cancel the order" kind="second" isBusy={isBusy} onDo={() => cancelOrder(pet, order)} />
              <Deed label="Hand over" kind="third primary" isBusy={isBusy} onDo={() => handOver(pet, order)} />
            </>
          )}
          {order && status === 'completed' && (
            <>
              <Deed label="Change" kind="first" isBusy={isBusy} onDo={() => startChange(pet, order)} />
              <Deed label="Take back" kind="second" isBusy={isBusy} onDo={() => takeBack(pet, order)} />
            </>
          )}
        </div>
      )}
      {can('pets:write') && isThere && (
        <div class="actions">
          <Deed label="Edit" isBusy={isBusy} onDo={() => startEdit(pet)} />
          {orders?.length === 0 && <Deed label="Remove" isBusy={isBusy} onDo={() => removePet(pet)} />}
        </div>
      )}
      {can('pets:write') && orders && orders.length > 0 && (
        <p class="quiet">It stays in the books with its orders, and cannot be removed.</p>
      )}
    </>
  )
}

const ended = { cancelled: 'Cancelled', returned: 'Taken back', expired: 'Ended' }

const Orders = ({ orders }: { orders: readonly Order[] }) => (
  <section class="timeline" aria-labelledby="orders-title">
    <h3 id="orders-title">Orders</h3>
    {orders.length === 0 && <p class="quiet">Nobody has ordered it yet.</p>}
    <ol>
      {orders.toReversed().map(({ id, status, reference, heldUntil, createdAt, completedAt, updatedAt }) => (
        <li key={id} class={status}>
          <strong>
            Order {id}, {orderWords[status]}
          </strong>
          {reference && (
            <span>
              For <bdi>{reference}</bdi>
            </span>
          )}
          <span>
            Ordered <Time at={createdAt} />
          </span>
          {status === 'placed' && heldUntil && (
            <span>
              Reserved until <Time at={heldUntil} />
            </span>
          )}
          {completedAt && (
            <span>
              Completed <Time at={completedAt} />
            </span>
          )}
          {status in ended && (
            <span>
              {ended[status as keyof typeof ended]} <Time at={updatedAt} />
            </span>
          )}
        </li>
      ))}
    </ol>
  </section>
)
