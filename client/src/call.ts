/** What a method returns: a promise of its result. `withResponse()` returns the result together with the response. */
import type { ResponseDetails } from './answer.ts'

export interface Responded<T> {
  readonly result: T
  readonly response: ResponseDetails
}

export class Call<T> extends Promise<T> {
  // What `then` returns is an ordinary promise.
  static override get [Symbol.species]() {
    return Promise
  }

  readonly #responded: Promise<Responded<T>>

  constructor(responded: Promise<Responded<T>>) {
    super((resolve, reject) => responded.then(({ result }) => resolve(result), reject))
    this.#responded = responded
  }

  withResponse(): Promise<Responded<T>> {
    // If both promises are used, an error is reported only once.
    this.catch(() => {})
    return this.#responded
  }
}
