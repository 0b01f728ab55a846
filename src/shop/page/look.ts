/** How somebody likes the page to look, which the device remembers. */
import { effect, type Signal, signal } from '@preact/signals'
import { ofDevice } from '../../reference/docs/shared-key.ts'

/** The first is what a device begins with, and is not kept. */
function remembered<T extends string>(name: string, first: T, other: T): Signal<T> {
  const choice = signal(ofDevice?.getItem(name) === other ? other : first)
  effect(() => {
    if (choice.value === first) ofDevice?.removeItem(name)
    else ofDevice?.setItem(name, choice.value)
  })
  return choice
}

export const view = remembered('petstore.view', 'table', 'cards')
export const figures = remembered('petstore.figures', 'folded', 'open')
