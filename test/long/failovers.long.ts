/** Failovers, at length: the primary is lost in every way in turn, and its synchronous standby promoted, on the same two instances. */
import { failOver, losses, Trial } from '../support/failover.ts'
import { Pair } from '../support/replication.ts'
import { type Item, scaled, shown } from './item.ts'

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1)

export const failovers: Item = async ({ scale, progress }) => {
  const total = scaled(40, scale)
  const ways = Object.keys(losses)
  const times = new Map<string, number[]>()
  const pair = await Pair.start()
  let trial: Trial | undefined
  try {
    trial = await Trial.start(pair)
    for (let done = 0; done < total; done++) {
      const way = ways[done % ways.length] as string
      times.set(way, [...(times.get(way) ?? []), await failOver(pair, trial, way)])
      progress(done, total)
    }
    await trial.alongside(trial.load.more(50))
    const faults = await trial.faults()
    for (const fault of faults) process.stderr.write(`${fault}\n`)
    const { load, rivals } = trial
    const acknowledged = `${shown(load.acknowledged.size)} acknowledged animals and ${shown(rivals.sales)} sales`
    const waits = [...times].map(([way, each]) => `${way} ${seconds(Math.max(...each))}`).join(', ')
    return {
      figure: `${shown(total)} failovers, ${acknowledged}, ${faults.length} faults; seconds from the promotion to the first write, at most: ${waits}`,
      ok: faults.length === 0,
    }
  } finally {
    await trial?.stop()
    await pair.stop()
  }
}
