/** What somebody has chosen on this device, which remembers it. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { ofDevice } from '../../../reference/docs/shared-key.ts'

const name = 'petstore.shortcuts'

const shortcuts = signal(ofDevice?.getItem(name) !== 'off')
/** Whether single letters and digits do something; keys that nobody presses by mistake always do. */
export const hasShortcuts: ReadonlySignal<boolean> = shortcuts

export function setShortcuts(isOn: boolean): void {
  shortcuts.value = isOn
  if (isOn) ofDevice?.removeItem(name)
  else ofDevice?.setItem(name, 'off')
}
