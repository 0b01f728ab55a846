/** Small parts that several views share. */
import type { TargetedMouseEvent } from 'preact'
import { useEffect } from 'preact/hooks'
import type { KeyScope } from '../../../../client/src/types.ts'
import { staffKeyCommand } from '../refusals.ts'
import type { ShownPet } from '../state/animals.ts'
import { now } from '../state/clock.ts'
import { faults, hideField, showField } from '../state/forms.ts'
import { timeText } from '../times.ts'
import { petWords, type Said } from '../words.ts'

/** The length in UTF-16 units. A name has up to 1,024 characters, each of which may have two units. */
export const nameLength = 2048

/** Passes what is typed or chosen to a function. */
export const typed =
  (take: (text: string) => void) =>
  ({ currentTarget }: { readonly currentTarget: HTMLInputElement | HTMLSelectElement }): void =>
    take(currentTarget.value)

/** Follows a link without loading the page, unless it opens in another tab. */
export const follow = (run: () => void) => (event: TargetedMouseEvent<HTMLElement>) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  run()
}

export const ReferenceLink = () => (
  <a class="reference" href="docs">
    API reference
  </a>
)

export const Told = ({ text }: { text: Said }) => (
  <>{text.map((part) => (typeof part === 'string' ? part : <bdi>{part.name}</bdi>))}</>
)

export const PetStatus = ({ status }: Pick<ShownPet, 'status'>) => (
  <span class={`status ${status}`}>{petWords[status]}</span>
)

const segmenter = new Intl.Segmenter()

/** Shows the first character of a name on the colour of its category. */
export function Initial({ pet }: { pet: ShownPet }) {
  // Invisible characters and marks that change the direction of writing are skipped.
  const [first] = segmenter.segment(pet.name.replace(/^[\p{C}\p{Z}]+/u, '').slice(0, 32))
  const hue = (Number(BigInt.asUintN(16, pet.categoryId)) * 67 + 20) % 360
  return (
    <span class="initial" aria-hidden="true" style={{ '--hue': hue }}>
      {first?.segment.toUpperCase()}
    </span>
  )
}

/** Shows what is wrong with a field beside it. `of` is the change that its form makes. */
export function Fault({ of, field }: { of: string; field: string }) {
  useEffect(() => {
    showField(of)
    return () => hideField(of)
  }, [of])
  const text = faults.value?.of === of && faults.value.fields.get(field)
  return text ? (
    <p role="alert" class="refusal" id={`${field}-fault`}>
      {text}
    </p>
  ) : null
}

export const Time = ({ at }: { at: string }) => <time dateTime={at}>{timeText(at, now.value)}</time>

/** Says which scope a key lacks, and how the operator creates a key that has it. */
export const Lack = ({ scope }: { scope: KeyScope }) => (
  <>
    This key lacks the scope <code>{scope}</code>. Whoever runs this store makes a key for staff with{' '}
    <code>{staffKeyCommand}</code>.
  </>
)

interface DeedProps {
  readonly label: string
  /** Text that is added for users who do not see the row. */
  readonly of?: string | undefined
  readonly kind?: string | undefined
  readonly isBusy: boolean
  readonly onDo: () => unknown
}

/**
 * A button that changes something. It ignores the second click of a double click, and clicks while the request is in
 * progress. It is not disabled meanwhile, because that would take the focus away.
 */
export const Deed = ({ label, of, kind = '', isBusy, onDo }: DeedProps) => (
  <button
    type="button"
    class={`deed ${kind}`}
    aria-disabled={isBusy}
    onClick={({ detail }) => detail > 1 || isBusy || onDo()}
  >
    {label}
    {of && (
      <span class="hidden">
        {' '}
        <bdi>{of}</bdi>
      </span>
    )}
  </button>
)
