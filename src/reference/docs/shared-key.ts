/**
 * The API key, which all tabs of these pages share. A new tab gets it from an open one, and signing out ends all tabs.
 */
import { batch, signal } from '@preact/signals-core'

const name = 'petstore.key'

/** Returns undefined if the browser denies storage. Then nothing outlives a reload. */
function storage(which: 'sessionStorage' | 'localStorage'): Storage | undefined {
  try {
    return window[which]
  } catch {
    return undefined
  }
}

/** The storage that lasts until the tab is closed. */
export const ofTab = storage('sessionStorage')
/** The storage that outlives the browser. */
export const ofDevice = storage('localStorage')

export const key = signal(ofTab?.getItem(name) ?? ofDevice?.getItem(name) ?? null)
/** Whether the key outlives the browser, because the user has chosen that. */
export const isRemembered = signal(key.value !== null && ofDevice?.getItem(name) === key.value)

/** A message is a key, or `asking`, or null after somebody has signed out. */
const channel = new BroadcastChannel(name)
const asking = ''

function take(value: string): void {
  ofTab?.setItem(name, value)
  batch(() => {
    key.value = value
    isRemembered.value = ofDevice?.getItem(name) === value
  })
}

/** Stores a key that the service has accepted, and sends it to tabs that have none. */
export function keepKey(value: string, isForDevice: boolean): void {
  if (isForDevice) ofDevice?.setItem(name, value)
  else if (ofDevice?.getItem(name) === value) ofDevice.removeItem(name)
  take(value)
  channel.postMessage(value)
}

/** Deletes a key that was refused. Another tab may have another key, which stays. */
export function dropKey(): void {
  for (const kept of [ofTab, ofDevice]) if (kept?.getItem(name) === key.value) kept.removeItem(name)
  batch(() => {
    key.value = null
    isRemembered.value = false
  })
}

/** Deletes every key, in all tabs. */
export function endAll(): void {
  dropKey()
  ofDevice?.removeItem(name)
  channel.postMessage(null)
}

/** Begins to share the key. `onEnd` is called when somebody signs out in another tab. */
export function shareKey(onEnd: () => void): void {
  channel.onmessage = ({ data }: MessageEvent<string | null>) => {
    if (data === null) {
      onEnd()
      dropKey()
    } else if (data !== asking) {
      if (key.value === null || key.value === data) take(data)
    } else if (key.value !== null) channel.postMessage(key.value)
  }
  if (key.value === null) channel.postMessage(asking)
}
