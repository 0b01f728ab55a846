/** Replaces `node:test` for definitions.ts. It records the titles of tests, and runs none of them. */
const titles: string[] = []
const groups: string[] = []

export const test = (title: string): number => titles.push([...groups, title].join(' > '))

export function describe(title: string, ...args: unknown[]): void {
  groups.push(title)
  for (const define of args) if (typeof define === 'function') define()
  groups.pop()
}

const ignore = () => {}

export { ignore as after, ignore as afterEach, ignore as before, ignore as beforeEach }

/** Returns the titles that a file defines while it is loaded, each after the titles of its groups. */
export async function definedBy(file: string, load: () => Promise<unknown>): Promise<string[]> {
  groups.push(file)
  await load()
  groups.pop()
  return titles.splice(0)
}
