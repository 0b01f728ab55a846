/** The known word that was probably meant by a mistyped one. */

/** Undefined where none is near: two letters may differ, of a long word a third, of a short one half. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [[distance, best] = [Number.POSITIVE_INFINITY]] = known
    .map((other) => [other.startsWith(word) ? 0 : editDistance(word, other), other] as const)
    .sort(([a], [b]) => a - b)
  return distance <= Math.max(Math.min(2, word.length / 2), word.length / 3) ? best : undefined
}

/** How many characters to add, remove or replace (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (const [i, character] of [...from].entries()) {
    const next = [i + 1]
    for (let j = 0; j < to.length; j++)
      next.push(
        Math.min((next[j] as number) + 1, (row[j + 1] as number) + 1, (row[j] as number) + Number(character !== to[j])),
      )
    row = next
  }
  return row[to.length] as number
}
