/** Starts the page: what it does by itself, and what it shows. */
import { effect } from '@preact/signals'
import { render } from 'preact'
import { startFollowing } from './follow.ts'
import { startKeyboard } from './keyboard.ts'
import { startLive } from './live.ts'
import { startRefresh } from './refresh.ts'
import { startAddress } from './state/address.ts'
import { startClock } from './state/clock.ts'
import { startDrafts } from './state/drafts.ts'
import { startSearch } from './state/search.ts'
import { startSheets } from './state/sheets.ts'
import { Shop } from './views/shop.tsx'
import { windowTitle } from './views/title.tsx'

effect(() => {
  document.title = windowTitle.value
})

const starts = [startAddress, startSheets, startDrafts, startClock, startSearch, startRefresh, startKeyboard]
for (const start of [...starts, startFollowing, startLive]) start()
render(<Shop />, document.getElementById('shop') as HTMLElement)
