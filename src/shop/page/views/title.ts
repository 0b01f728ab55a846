/** What is listed, in words: for the title of the window, and for the head of a printed list. */
import { computed } from '@preact/signals'
import { address, type OrderTab } from '../state/address.ts'
import { categoryName } from '../state/catalogue.ts'
import { opened } from '../state/opened.ts'
import { capital, orderWords, petWords } from '../words.ts'

/** Returns the name of a list of orders. */
export const tabWords = (tab: OrderTab): string => (tab === 'due' ? 'Due today' : capital(orderWords[tab]))

const quoted = (text: string | undefined) => text && `“${text}”`

/** The filters of the list, such as "Dogs · available". */
const filters = computed(() => {
  const { show, status, category, search, tab = 'placed', find } = address.value
  if (show === 'report') return []
  if (show === 'orders') return [quoted(find) ?? tabWords(tab)]
  return [quoted(search), category !== undefined && categoryName(category), status && petWords[status]]
})

const joined = (...parts: readonly (string | false | undefined)[]): string => parts.filter(Boolean).join(' · ')

const views = { orders: 'Orders', report: 'Report' }
/** The head of a printed list, such as "Animals · Dogs · available". */
export const listTitle = computed(() => {
  const { show } = address.value
  return joined(show ? views[show] : 'Animals', ...filters.value)
})
export const windowTitle = computed(() => {
  const { show } = address.value
  return joined(opened.value?.pet?.name, show && views[show], ...filters.value, 'Pet Store')
})
