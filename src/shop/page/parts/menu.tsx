/** A button that shows other buttons, until one of them or something else is clicked. */
import { type ComponentChildren, createContext, type TargetedKeyboardEvent } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'

const Close = createContext(() => {})

export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  // The clicked button disappears with the menu. Whatever it opens returns the focus to the button of the menu.
  const close = () => {
    button.current?.focus()
    setOpen(false)
  }
  useEffect(() => {
    if (!isOpen) return
    const leave = ({ target }: Event) => whole.current?.contains(target as Node) || setOpen(false)
    const events = ['pointerdown', 'focusin']
    for (const each of events) addEventListener(each, leave)
    return () => {
      for (const each of events) removeEventListener(each, leave)
    }
  }, [isOpen])
  const press = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const items = [...(whole.current?.querySelectorAll('button') ?? [])]
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && isOpen) {
      const at = items.indexOf(document.activeElement as HTMLButtonElement)
      items[(at + step + items.length) % items.length]?.focus()
    } else if (event.key === 'Escape' && isOpen) close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="menu" ref={whole} onKeyDown={press}>
      <button type="button" ref={button} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span aria-hidden="true">⋯</span>
        <span class="hidden">{label}</span>
      </button>
      {isOpen && (
        <Close.Provider value={close}>
          <div class="items">{children}</div>
        </Close.Provider>
      )}
    </div>
  )
}

interface MenuItemProps {
  /** Whether the item is chosen, if it can be chosen. */
  readonly isOn?: boolean
  readonly onPick: () => unknown
  readonly children: ComponentChildren
}

export function MenuItem({ isOn, onPick, children }: MenuItemProps) {
  const close = useContext(Close)
  const pick = () => {
    close()
    onPick()
  }
  return (
    <button type="button" class="plain" aria-pressed={isOn} onClick={pick}>
      {children}
    </button>
  )
}
