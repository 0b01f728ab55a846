/** The pages of operations of the pet store: smaller than its tags, which generators make classes of. */
import type { Group } from './html/book.ts'

export const groups: readonly Group[] = [
  {
    id: 'animals',
    title: 'Animals',
    description: 'The catalogue of animals.',
    paths: ['/pets'],
    guides: ['pages', 'filters-and-search', 'conditional-requests'],
  },
  {
    id: 'categories',
    title: 'Categories',
    description: 'Names for the categories of animals.',
    paths: ['/categories'],
    guides: ['categories'],
  },
  {
    id: 'orders',
    title: 'Orders',
    description: 'Reserve animals, sell them, and take them back.',
    paths: ['/store/orders', '/store/order-counts'],
    guides: ['orders-and-returns', 'reservations'],
  },
  {
    id: 'inventory',
    title: 'Inventory and sales',
    description: 'The number of animals in each status, and how many are sold each day.',
    paths: ['/store/inventory', '/store/sales'],
  },
  {
    id: 'events',
    title: 'Events',
    description: 'Every change of an animal, an order or a category, in order.',
    paths: ['/events'],
    guides: ['events'],
  },
  {
    id: 'webhooks',
    title: 'Webhooks',
    description: 'Events that are sent to a URL of yours.',
    paths: ['/webhooks'],
    guides: ['webhooks'],
  },
  {
    id: 'deliveries',
    title: 'Deliveries',
    description: 'The messages that were sent to a webhook, and sending them again.',
    paths: ['/webhooks/{webhookId}/deliveries'],
    guides: ['webhooks'],
  },
  {
    id: 'keys',
    title: 'Keys',
    description: 'The API key that a request is made with.',
    paths: ['/me'],
    guides: ['first-request', 'rate-limits'],
  },
]
