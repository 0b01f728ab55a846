/**
 * The API key, which all tabs of these pages share: a new tab gets it from one that is open, and signing out ends all
 * of them.
 */
import { batch, signal } from '@preact/signals-core'

const name = 'petstore.key'

/** Undefined where the browser denies it: then nothing outlives a reload. */
function storage(which: 'sessionStorage' | 'localStorage'): Storage | undefined {
  try {
    return window[which]
  } catch {
    return undefined
  }
}

/** What is kept until the tab is closed. */
export const ofTab = storage('sessionStorage')
/** What outlives the browser. */
export const ofDevice = storage('localStorage')

export const key = signal(ofTab?.getItem(name) ?? ofDevice?.getItem(name) ?? null)
/** Whether the key outlives the browser, since somebody has asked for it. */
export const isRemembered = signal(key.value !== null && ofDevice?.getItem(name) === key.value)

/** A message is a key; or `asking`; or null when somebody has signed out. */
const channel = new BroadcastChannel(name)
const asking = ''

function take(value: string): void {
  ofTab?.setItem(name, value)
  batch(() => {
    key.value = value
    isRemembered.value = ofDevice?.getItem(name) === value
  })
}

/** Keeps a key that the service has accepted, and hands it to tabs that have none. */
export function keepKey(value: string, isForDevice: boolean): void {
  if (isForDevice) ofDevice?.setItem(name, value)
  else if (ofDevice?.getItem(name) === value) ofDevice.removeItem(name)
  take(value)
  channel.postMessage(value)
}

/** Forgets a key that is refused. Another tab may have another one, which stays. */
export function dropKey(): void {
  for (const kept of [ofTab, ofDevice]) if (kept?.getItem(name) === key.value) kept.removeItem(name)
  batch(() => {
    key.value = null
    isRemembered.value = false
  })
}

/** Forgets every key, in all tabs. */
export function endAll(): void {
  dropKey()
  ofDevice?.removeItem(name)
  channel.postMessage(null)
}

/** Begins to share; `onEnd` is called when somebody signs out in another tab. */
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
