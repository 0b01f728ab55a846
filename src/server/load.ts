/** Measures how late the event loop is, and reports refused requests in the log. */
import type { Logger } from 'pino'
import type { Admission } from '../http/admission.ts'

const sampleMilliseconds = 50
const samplesPerReport = 20

/** Runs until the returned function is called. */
export function watchLoad(admission: Admission, log: Logger, now: () => number = () => performance.now()): () => void {
  let due = now() + sampleMilliseconds
  let samples = 0
  const timer = setInterval(() => {
    const time = now()
    admission.observe(time - due)
    due = time + sampleMilliseconds
    if (++samples % samplesPerReport) return
    const refused = admission.takeRefused()
    if (refused > 0) log.warn({ refused }, 'too many requests: some were refused with 503')
  }, sampleMilliseconds)
  return () => clearInterval(timer)
}
