/**
 * The shop of a demo: fills an empty store with animals and orders to look around in, the same each time, and with the
 * events and sales of the days on which they are supposed to have happened.
 */
import type { EventType } from '../model/event.ts'
import { type OrderMove, statusOfPet } from '../model/order.ts'
import type { DaySales, PetStatus } from '../model/pet.ts'
import type { Store } from '../store/store.ts'
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
const animals = Object.values(names).flatMap((list, index) =>
  list.split(/\s+/).map((name) => ({ name, categoryId: index + 1 })),
)

export const stock = `${animals.length} animals in ${categories.length} categories`
/** The references of the orders. Some orders have none, as in a real shop. */
const references = [
  'Mrs Novak, 555-0117',
  'Mr Abe, 555-0199',
  undefined,
  'Ms García, 555-0142',
  'Dr Okafor',
  'Lindqvist family, 555-0163',
  undefined,
]
const orders = 90
const openOrders = 9
const hour = 3_600_000
const day = 24 * hour
/** Together with the day before, this is less than the 30 days for which events are kept by default. */
const weeks = 4

/** Writes all rows in one transaction without the triggers, which would date everything to now. */
export async function fillDemo({ bulk }: Store, now: number): Promise<string> {
  const rows = rowsOf(now)
  await bulk.import(
    async (write) => {
      for (const [table, list] of Object.entries(rows))
        await write({
          table: table as keyof typeof rows,
          rows: list.map((row) => row.map((value) => (value === null ? null : String(value)))),
        })
      return { api_keys: 0, webhooks: 0, pets: animals.length, orders, events: rows.events.length }
    },
    ['api_keys'],
  )
  return `${stock} and ${orders} orders`
}

interface PlannedOrder {
  /** The index of its animal in `animals`. */
  readonly animal: number
  readonly at: number
  readonly end: OrderMove | undefined
  readonly endAt: number
  readonly reference: string | undefined
  /** This is set only for an order that is still open. */
  readonly heldUntil: string | undefined
}

const planOrders = (now: number): PlannedOrder[] =>
  Array.from({ length: orders }, (_, n) => {
    // Orders become more frequent towards now; the last few are still open.
    const at = now - Math.round(weeks * 7 * day * (1 - n / orders) ** 1.2)
    const isOpen = n >= orders - openOrders
    const end = n % 7 === 3 ? 'cancelled' : 'completed'
    // 37 is coprime to the number of animals, so each animal is used once, and the categories take turns.
    const animal = (n * 37) % animals.length
    return {
      animal,
      at,
      end: isOpen ? undefined : end,
      endAt: at + (2 + ((n * 5) % 20)) * hour,
      reference: references[n % references.length],
      // The times are from eight hours to three days after now, so that some orders are due today.
      heldUntil: isOpen ? timeText(now + (n - orders + openOrders + 1) * 8 * hour) : undefined,
    }
  })

interface Order {
  readonly id: number
  readonly petId: number
  readonly status: 'placed' | OrderMove
  readonly reference: string | undefined
  readonly heldUntil: string | undefined
  readonly createdAt: string
  readonly updatedAt: string
  readonly completedAt?: string
}

/** An order after each of its steps. */
const stepsOf = ({ animal, at, end, endAt, reference, heldUntil }: PlannedOrder, n: number): Order[] => {
  const [createdAt, updatedAt] = [timeText(at), timeText(endAt)]
  const [id, petId] = [n + 1, animal + 1]
  const placed: Order = { id, petId, status: 'placed', reference, heldUntil, createdAt, updatedAt: createdAt }
  if (!end) return [placed]
  return [placed, { ...placed, status: end, updatedAt, ...(end === 'completed' && { completedAt: updatedAt }) }]
}

type Rows = (readonly (string | number | null)[])[]

/** The rows of each table, in the order of its columns: all that has happened up to `now`, one after another. */
function rowsOf(now: number): Record<'pets' | 'orders' | 'categories' | 'sales' | 'events', Rows> {
  const events: Rows = []
  const sales = new Map<string, DaySales>()
  const write = (type: EventType, at: string, petId: number | null, data: object) =>
    events.push([events.length + 1, type, petId, Date.parse(at), JSON.stringify(data), null])
  function count(at: string, what: 'added' | 'sold'): void {
    const date = at.slice(0, 10)
    const { [what]: before, ...others } = sales.get(date) ?? { day: date, added: 0, sold: 0, returned: 0 }
    sales.set(date, { ...others, [what]: before + 1 } as DaySales)
  }

  const opened = timeText(now - (weeks * 7 + 1) * day)
  for (const [i, name] of categories.entries()) write('category.named', opened, null, { id: i + 1, name })
  const pets = animals.map((animal, i) => ({ id: i + 1, ...animal, status: 'available' as PetStatus }))
  for (const pet of pets) {
    write('pet.created', opened, pet.id, pet)
    count(opened, 'added')
  }
  const steps = planOrders(now).flatMap(stepsOf)
  const placed = new Map<number, Order>()
  for (const order of steps.toSorted((one, other) => (one.updatedAt < other.updatedAt ? -1 : 1))) {
    placed.set(order.id, order)
    write(`order.${order.status}`, order.updatedAt, order.petId, order)
    const pet = pets[order.petId - 1] as (typeof pets)[number]
    pet.status = statusOfPet[order.status]
    write('pet.updated', order.updatedAt, pet.id, pet)
    if (pet.status === 'sold') count(order.updatedAt, 'sold')
  }
  return {
    pets: pets.map(({ id, name, categoryId, status }) => [id, name, categoryId, status]),
    orders: Array.from(placed.values(), (order) => {
      const { id, petId, status, reference = null, heldUntil = null, createdAt, updatedAt, completedAt = null } = order
      return [id, petId, status, reference, heldUntil, createdAt, updatedAt, completedAt]
    }),
    categories: categories.map((name, i) => [i + 1, name]),
    sales: Array.from(sales.values(), ({ day, added, sold, returned }) => [day, added, sold, returned]),
    events,
  }
}
