/** The names of things: stored and returned exactly as sent. */
import { Type } from '@sinclair/typebox'
import { limits } from '../limits.ts'
import { accepts, expects } from '../schema/schema.ts'

const expectedName = `a string of ${limits.nameLength.text} characters, not only white space, without control characters`
const nameLength = { minLength: 1, maxLength: limits.nameLength.max }

/** A name that a client sends; `whose` begins its description, such as "The animal's name". */
export const NewName = (whose: string) =>
  Type.String({
    description: `${whose}, stored and returned exactly as sent: ${expectedName} or unpaired surrogates.`,
    ...nameLength,
    // Means the same in ECMAScript with and without `u`, in Go and in PCRE, so it cannot express all of the rule below.
    pattern: '^[^\\x00-\\x1F\\x7F]*[^\\x00-\\x1F\\x7F\\s][^\\x00-\\x1F\\x7F]*$',
    [accepts]: /^(?!\s*$)[^\p{Cc}\p{Cs}]*$/u,
    [expects]: expectedName,
  })

/** A name that the service returns. */
export const Name = (whose: string) => Type.String({ description: `${whose}, exactly as sent.`, ...nameLength })
