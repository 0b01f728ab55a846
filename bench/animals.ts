/** The animals that every server has. */

const statuses = ['available', 'pending', 'sold'] as const
/** The animal that stands at a place of the catalogue. */
export type AnimalAt = (n: number) => {
  readonly name: string
  readonly categoryId: number
  readonly status: (typeof statuses)[number]
}
/** For every server the same. */
export const animal: AnimalAt = (n) => ({
  name: `Animal ${n}`,
  categoryId: n % 500,
  status: statuses[n % statuses.length] ?? 'sold',
})
