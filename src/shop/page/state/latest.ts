/** Requests of which only the latest answer counts, such as the searches of somebody who continues to type. */

export interface Questions {
  /**
   * Begins a request, and drops the answers to earlier ones. The returned function says whether it is still the latest.
   */
  ask(): () => boolean
}

export function createQuestions(): Questions {
  let count = 0
  return {
    ask() {
      const mine = ++count
      return () => mine === count
    },
  }
}
