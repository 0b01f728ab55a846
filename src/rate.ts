/** A rate limit as operators write it: requests per seconds, such as 600/60. */
import { limits } from './limits.ts'

export interface Rate {
  readonly requests: number
  readonly seconds: number
}

const { requestsMax, secondsMax } = limits.rate
export const rateForm = `REQUESTS/SECONDS such as 600/60, with 1 to ${requestsMax} requests in 1 to ${secondsMax} seconds`

export function readRate(text: string): Rate | undefined {
  const [, requests, seconds] = /^([1-9][0-9]{0,6})\/([1-9][0-9]{0,3})$/.exec(text) ?? []
  const rate = { requests: Number(requests), seconds: Number(seconds) }
  return rate.requests <= requestsMax && rate.seconds <= secondsMax ? rate : undefined
}

export const rateText = ({ requests, seconds }: Rate): string => `${requests}/${seconds}`
