/**
 * Chooses the numbers of categories that are created by only a name. They are short, whatever numbers clients choose.
 */

/**
 * A new number is one more than the highest in use, among those of up to three digits. If there is no such number left,
 * among those of up to six digits, and so on. Higher numbers do not matter: a single large one, such as a product code,
 * does not make all later ones large. JavaScript knows all of them exactly.
 */
export const rangeEnds = [3n, 6n, 9n, 12n, 15n].map((digits) => 10n ** digits)

/** The highest number in each range, by the end of the range. */
export type HighestNumbers = Map<bigint, bigint>

/** Notes that a number is in use. */
export function noteNumber(highest: HighestNumbers, number: bigint): void {
  for (const end of rangeEnds) if (number < end && number > (highest.get(end) ?? 0n)) highest.set(end, number)
}
