/** The animals that every server has. */

const statuses = ['available', 'pending', 'sold'] as const
/** Returns the animal at a position of the catalogue. */
export type AnimalAt = (n: number) => {
  readonly name: string
  readonly categoryId: number
  readonly status: (typeof statuses)[number]
}
/** The animals are the same for every server. */
export const animal: AnimalAt = (n) => ({
  name: `Animal ${n}`,
  categoryId: n % 500,
  status: statuses[n % statuses.length] ?? 'sold',
})
