/** The shop of a demo: fills an empty store with animals and orders to look around in, the same each time. */
import { CommandFailed } from '../errors.ts'
import type { OrderMove } from '../model/order.ts'
import type { DaySales, NewPet } from '../model/pet.ts'
import type { ImportedPet } from '../store/maintenance.ts'
import type { Outcome, Store } from '../store/store.ts'
import { timeText } from '../time.ts'

/** The names of the categories, which get the ids 1, 2, … in this order, and of their animals. */
const names = {
  Dogs: `Bella Max Luna Charlie Daisy Rocky Molly Buddy Sadie Cooper Lola Bear Maggie Duke Sophie Tucker Chloe Jack
    Bailey Toby Zoe Oliver Penny Winston Ruby Murphy Rosie Finn Lucy Gus Nala Bruno Stella Otto Ellie Hank Gracie
    Moose Pepper Rex`,
  Cats: `Whiskers Simba Cleo Milo Kitty Leo Misty Oscar Smokey Tiger Shadow Felix Mittens Socks Ginger Salem Boots Cosmo
    Olive Pumpkin Loki Willow Jasper Callie Ziggy Minnie Tabby Binx Mochi Biscuit Sphinx Marble Ash Clover Onyx
    Pearl Tofu Pixel Velvet Duchess`,
  Rabbits: `Thumper Clover Hazel Cottontail Peter Flopsy Snowball Bigwig Fiver Pipkin Oreo Nibbles Bunbun Marshmallow
    Cinnamon Dandelion Maple Truffle Bramble Juniper Acorn Poppy Parsley Thistle Biscotti Hopper Cocoa Sorrel Barley
    Willoughby`,
  Birds: `Kiwi Tweety Polly Sunny Rio Mango Skye Coco Peaches Jade Phoenix Robin Echo Zazu Iago Blue Paco Lemon Pip
    Feather Opal Indigo Saffron Chirpy Basil Merlin Wren Ziggy Apollo Juno`,
  Fish: `Bubbles Nemo Dory Finley Goldie Splash Marlin Coral Neptune Flash Gill Pearl Wanda Sushi Triton Shimmer Ripple
    Moby Marina Squirt Jaws Captain Cleo Dash Angel Stripes Reef Pebbles Tango Aqua`,
  Reptiles: `Spike Rango Iggy Slither Shelly Godzilla Draco Monty Kaa Crush Tank Yoshi Basilisk Scales Turbo Franklin
    Sheldon Nagini Gex Jade Leonardo Medusa Pascal Raphael Lizzie Smaug Toothless Zilla Sheba Mojave`,
}
const categories = Object.keys(names)
const animals: readonly Required<NewPet>[] = Object.values(names).flatMap((list, index) =>
  list.split(/\s+/).map((name) => ({ name, categoryId: BigInt(index + 1), status: 'available' })),
)

export const stock = `${animals.length} animals in ${categories.length} categories`
const orders = 90
const openOrders = 9
const hour = 3_600_000
const day = 24 * hour
const weeks = 6

export async function fillDemo(store: Store, now: number): Promise<string> {
  const { pets, orders: placed } = await store.bulk.counts()
  if (pets + placed > 0 || !(await addAnimals(store, now)))
    throw new CommandFailed('The store is not empty. Name a new database in DATABASE_URL.')
  for (const [index, name] of categories.entries()) await store.categories.put(BigInt(index + 1), name, undefined)
  const ids: bigint[] = []
  await store.bulk.read('pets', ['id'], async (chunk) => {
    for (const [id] of chunk) ids.push(BigInt(id as string))
  })
  const planned = planOrders(now)
  for (const { animal, at, end, endAt } of planned) {
    const order = await store.orders.place({ petId: ids[animal] as bigint, at: timeText(at) }, undefined)
    if (end) await store.orders.move(BigInt(idOf(order)), end, undefined, timeText(endAt))
  }
  await store.inventory.setSales(salesOf(planned, now))
  return `${stock} and ${orders} orders`
}

interface PlannedOrder {
  /** The index of its animal in `animals`. */
  readonly animal: number
  readonly at: number
  readonly end: OrderMove | undefined
  readonly endAt: number
}

const planOrders = (now: number): PlannedOrder[] =>
  Array.from({ length: orders }, (_, n) => {
    // Orders become more frequent towards now; the last few are still open.
    const at = now - Math.round(weeks * 7 * day * (1 - n / orders) ** 1.2)
    const isOpen = n >= orders - openOrders
    const end = n % 7 === 3 ? 'cancelled' : 'completed'
    // 37 is coprime to the number of animals: each comes once, and the categories in turn.
    const animal = (n * 37) % animals.length
    return { animal, at, end: isOpen ? undefined : end, endAt: at + (2 + ((n * 5) % 20)) * hour }
  })

/** The counts of each day, as if the animals had been added before the first order, and each sold on its day. */
function salesOf(planned: readonly PlannedOrder[], now: number): DaySales[] {
  const first = weeks * 7 + 1
  return Array.from({ length: first + 1 }, (_, daysAgo) => ({
    day: timeText(now - daysAgo * day).slice(0, 10),
    added: daysAgo === first ? animals.length : 0,
    sold: planned.filter(({ end, endAt }) => end === 'completed' && daysBetween(endAt, now) === daysAgo).length,
    returned: 0,
  }))
}

/** Counts changes of the date in UTC. */
const daysBetween = (earlier: number, later: number): number => Math.floor(later / day) - Math.floor(earlier / day)

/** Adds all animals as the import of a file with the hash "demo". Of two processes at once, one gets false. */
async function addAnimals({ imports }: Store, now: number): Promise<boolean> {
  const state = await imports.begin('demo', false)
  const rows = animals.map(({ name, categoryId, status }): ImportedPet => [name, String(categoryId), status])
  return imports.add('demo', { ...state, finishedAt: now }, rows, rows.length)
}

function idOf(outcome: Outcome | undefined): number {
  if (typeof outcome === 'object') return outcome.id
  throw new CommandFailed('Somebody else uses the store. Name a new database in DATABASE_URL.')
}
