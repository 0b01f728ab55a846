/** The whole page: its header, the current view, and the open sheet. */
import type { ComponentType } from 'preact'
import type { KeyScope } from '../../../../client/src/types.ts'
import { signOut } from '../follow.ts'
import { Messages } from '../parts/messages.tsx'
import { follow, Lack, ReferenceLink } from '../parts/parts.tsx'
import { type Address, address, close, go, hrefOf } from '../state/address.ts'
import { now } from '../state/clock.ts'
import { can, me } from '../state/session.ts'
import { type SheetName, sheet } from '../state/sheets.ts'
import { zoneText } from '../times.ts'
import { Animal } from './animal.tsx'
import { AddSheet } from './animal-form.tsx'
import { Animals } from './animals.tsx'
import { CategoriesSheet } from './categories.tsx'
import { Orders } from './orders.tsx'
import { Report } from './report.tsx'
import { RefusedSheet, ReserveSheet } from './selection.tsx'
import { ShortcutsSheet } from './shortcuts.tsx'
import { SignIn } from './sign-in.tsx'

type Show = 'animals' | 'orders' | 'report'

/** The views, and the scopes that they need. */
const views: Readonly<Record<Show, { title: string; scopes: readonly KeyScope[]; View: ComponentType }>> = {
  animals: { title: 'Animals', scopes: ['pets:read'], View: Animals },
  orders: { title: 'Orders', scopes: ['pets:read', 'orders:read'], View: Orders },
  report: { title: 'Report', scopes: ['pets:read', 'orders:read', 'events:read'], View: Report },
}

const sheets: Readonly<Record<SheetName, { scope?: KeyScope; Open: ComponentType<{ onClose: () => void }> }>> = {
  add: { scope: 'pets:write', Open: AddSheet },
  categories: { scope: 'pets:write', Open: CategoriesSheet },
  reserve: { scope: 'orders:write', Open: ReserveSheet },
  shortcuts: { Open: ShortcutsSheet },
  refused: { Open: RefusedSheet },
}

/** The tabs for animals, orders and the report. */
const Tabs = () => (
  <nav class="tabs" aria-label="Show">
    {Object.entries(views).map(([name, { title }]) => {
      const show = name === 'orders' || name === 'report' ? name : undefined
      const to: Address = { show, pet: undefined }
      const current = address.value.show === show ? 'page' : undefined
      return (
        <a key={name} href={hrefOf(to)} aria-current={current} onClick={follow(() => go(to))}>
          {title}
        </a>
      )
    })}
  </nav>
)

function Shown() {
  const { title, scopes, View } = views[address.value.show ?? 'animals']
  const lacking = scopes.find((scope) => !can(scope))
  if (!lacking) return <View />
  return (
    <div class="notice">
      <h2>This key may not see this: {title.toLowerCase()}</h2>
      <p>
        <Lack scope={lacking} />
      </p>
    </div>
  )
}

/** Says which scopes this key lacks for work in the shop. */
function Limits() {
  const lacking = (['pets:write', 'orders:write'] as const).filter((scope) => !can(scope))
  const [first] = lacking
  if (!first) return null
  const what =
    lacking.length > 1 ? 'changes nothing' : first === 'pets:write' ? 'changes no animals' : 'places no orders'
  return (
    <p class="quiet limits">
      It {what}. <Lack scope={first} />
    </p>
  )
}

export function Shop() {
  if (!me.value) return <SignIn />
  const { scope = undefined, Open = undefined } = (sheet.value && sheets[sheet.value]) ?? {}
  const isSheet = Open && (!scope || can(scope))
  const isAnimal = !isSheet && address.value.pet !== undefined && can('pets:read')
  return (
    <>
      <header class="masthead">
        <h1 class="brand">
          <img src="shop/favicon.svg" alt="" width="32" height="32" />
          Pet Store
        </h1>
        <Tabs />
        <p class="who">
          <span dir="auto">{me.value.name}</span>
          <button type="button" class="plain" onClick={signOut}>
            Sign out
          </button>
        </p>
      </header>
      <main tabIndex={-1}>
        <Shown />
        <footer class="quiet">
          <Limits />
          <p>
            All times are those of {zoneText(now.value)}. <ReferenceLink />
          </p>
        </footer>
      </main>
      {isSheet && <Open onClose={close} />}
      {isAnimal && <Animal />}
      {!isSheet && !isAnimal && <Messages />}
    </>
  )
}
