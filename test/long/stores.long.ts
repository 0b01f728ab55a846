/** The checks on both databases, at length: fuzzer, model, histories, double sale. */

import { compareWithModel, inMemory, steps } from '../model/sequences.ts'
import { Doors } from '../races/doors.ts'
import { explainHistories } from '../races/histories.ts'
import { checkAgreement, sellToMany } from '../races/shop.ts'
import { databases } from '../support/databases.ts'
import { fuzz } from '../support/fuzz.ts'
import { TestService, targets } from '../support/service.ts'
import { type Item, type ItemOptions, scaled, shown } from './item.ts'

/** The options of one part of an item, of which `before` is done. */
const part = ({ seed, progress }: ItemOptions, before: number, total: number) => ({
  seed,
  progress: (done: number) => progress(before + done, total),
})

export const fuzzing: Item = async (options) => {
  const each = scaled(250_000, options.scale)
  const total = each * targets.length
  for (const [i, { runtime, database }] of targets.entries()) {
    const { url, remove } = await database()
    const service = await TestService.start(runtime, { DATABASE_URL: url, LOG_LEVEL: 'warn' })
    try {
      await fuzz(service, each, part(options, i * each, total))
    } finally {
      await service.stop()
      await remove()
    }
  }
  return { figure: `${shown(total)} requests to ${targets.length} targets, 0 findings`, ok: true }
}

export const model: Item = async (options) => {
  const count = scaled(2_000, options.scale)
  await compareWithModel(inMemory, count, part(options, 0, 2 * count))
  await compareWithModel(databases[1], count, part(options, count, 2 * count))
  return { figure: `${shown(count)} sequences of ${steps} steps on each database, all as the model says`, ok: true }
}

export const linearizability: Item = async (options) => {
  const count = scaled(2_000, options.scale)
  for (const [i, database] of databases.entries())
    await explainHistories(database, count, part(options, i * count, 2 * count))
  return { figure: `${shown(count)} histories on each database, all explained`, ok: true }
}

export const doubleSale: Item = async (options) => {
  const [animals, buyers] = [scaled(1_000, options.scale), 100]
  for (const [i, database] of databases.entries()) {
    const doors = await Doors.open(database)
    try {
      await sellToMany(doors, animals, buyers, part(options, i * animals, 2 * animals).progress)
      checkAgreement(await doors.statuses(), await doors.sales())
    } finally {
      await doors.close()
    }
  }
  const figure = `${shown(animals * buyers)} tries for ${shown(animals)} animals on SQLite and through 3 instances on PostgreSQL: ${shown(animals)} orders on each`
  return { figure, ok: true }
}
