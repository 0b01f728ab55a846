/** Crashes, at length: kill -9 under load, and power cuts. */
import { cutPower } from '../power/cuts.ts'
import { record } from '../power/recording.ts'
import { killAmongOrders } from '../support/buyers.ts'
import { databases } from '../support/databases.ts'
import { killUnderLoad } from '../support/kills.ts'
import { Folder } from '../support/process.ts'
import { type Item, scaled, shown } from './item.ts'

/** Cycles on one database; then a new one, as every cycle looks at all that is in it. */
const cyclesEach = 25

/** Half of the cycles kill a service that adds animals, the others one that sells them; of those every fifth is on PostgreSQL. */
export const kills: Item = async ({ scale, progress }) => {
  const total = scaled(1_000, scale)
  const sqlite = databases[0]
  let found = 0
  for (let done = 0; done < total; done += cyclesEach) {
    const cycles = Math.min(cyclesEach, total - done)
    const tell = (more: number) => progress(done + more, total)
    const turn = (done / cyclesEach) % 10
    if (turn % 2 === 0) found += await killUnderLoad(cycles, tell)
    else found += await killAmongOrders(turn === 3 ? databases[1] : sqlite, cycles, tell)
  }
  const figure = `${shown(total)} cycles, ${shown(found)} acknowledged animals and orders, 0 lost, no key stuck`
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
    figure: `${shown(states)} states, ${shown(real.acknowledged)} acknowledged writes looked for, ${real.faulty.length} states with a loss; with syncs ignored ${lying.faulty.length} of ${lyingStates}`,
    ok: real.faulty.length === 0 && lying.faulty.length > 0,
  }
}
