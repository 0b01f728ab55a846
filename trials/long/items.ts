/** The items of the long run: crashes, failovers, and long checks of both databases. */

import { databases } from '../../harness/databases.ts'
import { fuzz, fuzzEnvironment } from '../../harness/fuzz.ts'
import { compareWithModel, inMemory, steps } from '../../harness/model/sequences.ts'
import { cutPower } from '../../harness/power/cuts.ts'
import { record } from '../../harness/power/recording.ts'
import { Folder } from '../../harness/process.ts'
import { explainHistories, sellToMany } from '../../harness/races/concurrent.ts'
import { completeOrExpire } from '../../harness/races/expiry.ts'
import { failOver, losses, Pair } from '../../harness/replication.ts'
import { TestService } from '../../harness/service.ts'
import { runReal } from '../../harness/simulation/real.ts'
import { simulate } from '../../harness/simulation/simulate.ts'
import type { Trial } from '../../harness/trial.ts'
import { reportOf } from '../simulation/run.ts'
import { type Item, type ItemOptions, scaled, shown } from './item.ts'

/** Returns the options of one part of an item, of which `before` is already done. */
const part = ({ seed, progress }: ItemOptions, before: number, total: number) => ({
  seed,
  progress: (done: number) => progress(before + done, total),
})

/** Both databases run concurrently, because most of the time is spent waiting for one of the services. */
export const fuzzing: Item = async ({ scale, seed, progress }) => {
  const each = scaled(250_000, scale)
  const total = each * databases.length
  let sent = 0
  const runs = databases.map(async (database) => {
    const { url, remove } = await database.open()
    const service = await TestService.start({ DATABASE_URL: url, ...fuzzEnvironment })
    try {
      await fuzz(service, each, { seed, progress: () => progress(++sent, total) })
    } finally {
      await service.stop()
      await remove()
    }
  })
  // All of them continue to their end, even after one has found something.
  for (const run of await Promise.allSettled(runs)) if (run.status === 'rejected') throw run.reason
  return { figure: `${shown(total)} requests on ${databases.length} databases, 0 findings`, ok: true }
}

export const model: Item = async (options) => {
  const count = scaled(2_000, options.scale)
  await compareWithModel(inMemory, count, part(options, 0, 2 * count))
  await compareWithModel(databases[1], count, part(options, count, 2 * count))
  return {
    figure: `${shown(count)} sequences of ${steps} steps on each database, every response as the model says`,
    ok: true,
  }
}

export const simulation: Item = async ({ seed, scale, seeds = scaled(1_000, scale), progress }) => {
  let [hours, requests, crashes] = [0, 0, 0]
  for (let done = 0; done < seeds; done++) {
    const outcome = await simulate({ seed: seed + done })
    if (outcome.failure) throw new Error(reportOf(outcome), { cause: outcome.failure })
    hours += outcome.seconds / 3600
    requests += outcome.requests
    crashes += outcome.crashes
    progress(done + 1, seeds)
  }
  const figure =
    `${shown(seeds)} seeds, ${shown(hours)} virtual hours, ${shown(requests)} requests, ${shown(crashes)} crashes, ` +
    'no broken promise'
  return { figure, ok: true }
}

export const linearizability: Item = async (options) => {
  const count = scaled(2_000, options.scale)
  for (const [i, database] of databases.entries())
    await explainHistories(database, count, part(options, i * count, 2 * count))
  return { figure: `${shown(count)} histories on each database, each with a valid order`, ok: true }
}

export const doubleSale: Item = async (options) => {
  const [animals, buyers] = [scaled(1_000, options.scale), 100]
  for (const [i, database] of databases.entries())
    await sellToMany(database, { animals, buyers }, part(options, i * animals, 2 * animals).progress)
  const figure =
    `${shown(animals * buyers)} tries for ${shown(animals)} animals through 3 instances on each database: ` +
    `${shown(animals)} orders on each`
  return { figure, ok: true }
}

export const expiry: Item = async (options) => {
  const races = scaled(100_000, options.scale)
  const completed: string[] = []
  for (const [i, database] of databases.entries()) {
    const { progress } = part(options, i * races, 2 * races)
    completed.push(shown(await completeOrExpire(database, races, progress)))
  }
  const figure =
    `${shown(races)} orders on each database, completed through 3 instances as they expire: ` +
    `${completed.join(' and ')} were completed, the others expired, none did both`
  return { figure, ok: true }
}

/**
 * The kills on one database. Then a new database is used, because the checks at the end take longer the more it
 * contains.
 */
const killsEach = 10

/** Each run uses the other database and another seed. */
export const realTime: Item = async ({ seed, scale, progress }) => {
  const total = scaled(1_000, scale)
  let [answers, events] = [0, 0]
  const troubles = new Map<string, number>()
  for (let done = 0; done < total; done += killsEach) {
    const run = done / killsEach
    const met = await runReal(databases[run % 2 === 0 ? 0 : 1], {
      seed: seed + run,
      kills: Math.min(killsEach, total - done),
      progress: (more) => progress(done + more, total),
    })
    answers += met.answers
    events += met.events
    for (const [trouble, times] of met.troubles) troubles.set(trouble, (troubles.get(trouble) ?? 0) + times)
  }
  const met = [...troubles].map(([trouble, times]) => `${shown(times)} × ${trouble}`).join(', ')
  const figure =
    `${shown(total)} kills, ${shown(answers)} answers and ${shown(events)} events, no broken promise; ` +
    `troubles between the service and PostgreSQL: ${met || 'none'}`
  return { figure, ok: true }
}

const rounds = 40

export const powerCuts: Item = async ({ seed, scale, progress }) => {
  const [states, lyingStates] = [scaled(1_000, scale), scaled(100, scale)]
  using folder = new Folder()
  const events = await record(folder, rounds)
  const total = states + lyingStates
  const real = await cutPower(events, { states, seed, progress: (done) => progress(done, total) })
  for (const faults of real.faulty.slice(0, 5)) process.stderr.write(`${faults.slice(0, 10).join('\n  ')}\n`)
  const lying = await cutPower(events, {
    states: lyingStates,
    seed,
    syncsAreLost: true,
    progress: (done) => progress(states + done, total),
  })
  return {
    figure:
      `${shown(states)} states, ${shown(real.acknowledged)} acknowledged writes looked for, ` +
      `${real.faulty.length} states that lack one; ` +
      `on a disk that ignores syncs ${lying.faulty.length} of ${lyingStates}`,
    ok: real.faulty.length === 0 && lying.faulty.length > 0,
  }
}

/** The primary is lost in every way in turn, and its synchronous standby is promoted, with the same two instances. */
export const failovers: Item = async ({ scale, progress }) => {
  const total = scaled(40, scale)
  const ways = Object.keys(losses)
  const times = new Map<string, number[]>()
  const pair = await Pair.start()
  let trial: Trial | undefined
  try {
    trial = await pair.startTrial()
    for (let done = 0; done < total; done++) {
      const way = ways[done % ways.length] as string
      times.set(way, [...(times.get(way) ?? []), await failOver(pair, trial, way)])
      progress(done, total)
    }
    await trial.alongside(trial.load.more(50))
    const faults = await trial.faults()
    for (const fault of faults) process.stderr.write(`${fault}\n`)
    const animals = shown(trial.load.acknowledged.size)
    const acknowledged = `${animals} acknowledged animals and ${shown(trial.rivals.sales)} orders`
    const waits = [...times].map(([way, each]) => `${way} ${(Math.max(...each) / 1000).toFixed(1)} s`).join(', ')
    return {
      figure:
        `${shown(total)} failovers, ${acknowledged}, ${faults.length} faults; ` +
        `longest time from the promotion to the first write: ${waits}`,
      ok: faults.length === 0,
    }
  } finally {
    await trial?.stop()
    await pair.stop()
  }
}
