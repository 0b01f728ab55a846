/** Questions of which only the answer to the latest counts, such as the searches of somebody who goes on typing. */

export interface Questions {
  /** Begins a question, and drops the answers to those before; tells later whether it is still the latest. */
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
