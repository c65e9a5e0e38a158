// Part of the bench: how fast a request is acked that costs nothing afterwards, and `/alert help`, whose
// answer is in the ack.
import type { Cores } from '../cores.ts'
import { type Measured, percentile, takeNotes } from '../figures.ts'
import { bellhopName } from '../servers/bellhop.ts'
import { peers } from '../servers/peers.ts'
import { openStage } from '../stage.ts'

export interface AcksPlan {
  readonly rounds: number
  /** To each bot before anything is measured: the first calls of everything compile it. */
  readonly warmUp: number
  /** Of each kind, from each bot in each round. */
  readonly requests: number
}

const atATime = 10
const bare = peers['bolt-ack']

export async function measureAcks(
  { rounds, warmUp, requests }: AcksPlan,
  cores: Cores | undefined,
): Promise<Measured> {
  const { note, remark, measured } = takeNotes('acks')
  const stage = await openStage({ cores })
  try {
    const actors = await stage.startAll(['bolt-ack'])
    const helped = actors.filter(({ name }) => name === bellhopName || name === bare)
    for (const { load } of actors) await load.presses(warmUp, atATime)
    for (const { load } of helped) await load.helps(warmUp / 2, atATime)
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, load } of actors) {
        const { count, seconds, cpuMs, benchMs, ackMs } = await load.presses(requests, atATime)
        note('acks', name, '/s', count / seconds)
        note('acks, p99', name, 'ms', percentile(ackMs, 0.99))
        note('CPU of an ack', name, 'ms', cpuMs)
        note('CPU of load and stand-ins, an ack', name, 'ms', benchMs)
      }
      for (const { name, load } of helped) {
        const { count, seconds, cpuMs, ackMs } = await load.helps(requests / 2, atATime)
        note('/alert help: acks', name, '/s', count / seconds)
        note('/alert help: acks, p99', name, 'ms', percentile(ackMs, 0.99))
        note('/alert help: CPU, answer included', name, 'ms', cpuMs)
      }
    }
  } finally {
    await stage.close()
  }
  remark(
    `Acks: *Open in monitoring* in a card’s menu, ${atATime} at a time; after it there is nothing to do.`,
  )
  return measured()
}
