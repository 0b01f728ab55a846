/** What is listed, in words: for the title of the window, and for the head of a printed list. */
import { computed } from '@preact/signals'
import { address, type OrderTab } from '../state/address.ts'
import { categoryName } from '../state/catalogue.ts'
import { opened } from '../state/opened.ts'
import { capital, orderWords, petWords } from '../words.ts'

/** Returns the name of a list of orders. */
export const tabWords = (tab: OrderTab): string => (tab === 'due' ? 'Due today' : capital(orderWords[tab]))

const quoted = (text: string | undefined) => text && `“${text}”`
const views = { orders: 'Orders', report: 'Report' }

/** The view and its filters, such as "Dogs" and "available". The animals are the view that needs no name. */
const parts = computed((): readonly string[] => {
  const { show, status, category, search, tab = 'placed', find } = address.value
  if (show === 'report') return [views.report]
  if (show === 'orders') return [views.orders, quoted(find) ?? tabWords(tab)]
  const all = [quoted(search), category !== undefined && categoryName(category), status && petWords[status]]
  return all.filter((part) => typeof part === 'string')
})

export const windowTitle = computed(() => {
  const { pet } = opened.value ?? {}
  return [...(pet ? [pet.name] : []), ...parts.value, 'Pet Store'].join(' · ')
})

/** The head of a printed list. On the screen, the tools show what is listed. */
export const PrintedTitle = () => (
  <h2 class="printed">
    {[...(address.value.show ? [] : ['Animals']), ...parts.value].map((part, i) => (
      <>
        {i > 0 && ' · '}
        <bdi>{part}</bdi>
      </>
    ))}
  </h2>
)
