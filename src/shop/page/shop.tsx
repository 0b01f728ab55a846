/** Starts the page: what it does by itself, and what it shows. */
import { effect } from '@preact/signals'
import { render } from 'preact'
import { startFollowing } from './follow.ts'
import { startKeyboard } from './keyboard.ts'
import { startLive } from './live.ts'
import { startRefresh } from './refresh.ts'
import { address, startAddress } from './state/address.ts'
import { categoryName } from './state/catalogue.ts'
import { startClock } from './state/clock.ts'
import { startDrafts } from './state/drafts.ts'
import { opened } from './state/opened.ts'
import { startSearch } from './state/search.ts'
import { startSheets } from './state/sheets.ts'
import { Shop } from './views/shop.tsx'
import { petWords } from './words.ts'

effect(() => {
  const { status, category, show } = address.value
  const name = category !== undefined && categoryName(category)
  const shown = show ? [show === 'orders' ? 'Orders' : 'Report'] : [name, status && petWords[status]]
  document.title = [opened.value?.pet?.name, ...shown, 'Pet Store'].filter(Boolean).join(' · ')
})

const starts = [startAddress, startSheets, startDrafts, startClock, startSearch, startRefresh, startKeyboard]
for (const start of [...starts, startFollowing, startLive]) start()
render(<Shop />, document.getElementById('shop') as HTMLElement)
