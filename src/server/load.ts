/** Measures how late the event loop is, for the metrics, and logs how many requests were refused. */
import { createHistogram } from 'node:perf_hooks'
import type { Admission } from '../http/admission.ts'
import type { Log } from '../observe/log.ts'
import type { Sample } from '../observe/metrics.ts'

/** Each sample costs a wake-up: 20 a second take less than 0.1 % of a core. */
const sampleMilliseconds = 50
const samplesPerReport = 20

export function watchLoad(admission: Admission, log: Log, now: () => number = () => performance.now()) {
  /** In nanoseconds, since the previous scrape. */
  const delays = createHistogram()
  let due = now() + sampleMilliseconds
  let samples = 0
  const timer = setInterval(() => {
    const time = now()
    delays.record(Math.max(1, Math.round((time - due) * 1e6)))
    due = time + sampleMilliseconds
    if (++samples % samplesPerReport) return
    const refused = admission.takeRefused()
    if (refused > 0) log.warn({ refused }, 'too many requests: some were refused with 503')
  }, sampleMilliseconds)

  return {
    samples(): Sample[] {
      const { max } = delays
      // A percentile is the bound of a bucket, which may lie above the longest delay.
      const [p50, p99] = [delays.percentile(50), delays.percentile(99)].map((value) => Math.min(value, max) / 1e9)
      delays.reset()
      return [
        ['nodejs_eventloop_delay_p50_seconds', p50 as number],
        ['nodejs_eventloop_delay_p99_seconds', p99 as number],
        ['nodejs_eventloop_delay_max_seconds', max / 1e9],
      ]
    },
    stop: () => clearInterval(timer),
  }
}
