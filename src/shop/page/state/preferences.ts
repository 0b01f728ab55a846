/** Settings that the user has chosen, which the device remembers. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { ofDevice } from '../../../reference/docs/shared-key.ts'

const name = 'petstore.shortcuts'

const shortcuts = signal(ofDevice?.getItem(name) !== 'off')
/** Whether letters and digits are shortcuts. Keys that nobody presses by mistake always work. */
export const hasShortcuts: ReadonlySignal<boolean> = shortcuts

export function setShortcuts(isOn: boolean): void {
  shortcuts.value = isOn
  if (isOn) ofDevice?.removeItem(name)
  else ofDevice?.setItem(name, 'off')
}
