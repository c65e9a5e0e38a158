// Part of the bench: how fast a request is acked that costs nothing afterwards, and `/alert help`, whose
// answer is in the ack.
import type { Cores } from '../cores.ts'
import { type Measured, percentile, takeNotes } from '../figures.ts'
import { openStage } from '../stage.ts'

export interface AcksPlan {
  readonly rounds: number
  /** To each bot before anything is measured: the first calls of everything compile it. */
  readonly warmUp: number
  /** Of each kind, from each bot in each round. */
  readonly requests: number
}

const atATime = 10

export async function measureAcks(
  { rounds, warmUp, requests }: AcksPlan,
  cores: Cores | undefined,
): Promise<Measured> {
  const { note, remark, measured } = takeNotes('acks')
  const stage = await openStage({ cores })
  try {
    const sources = await stage.start(await stage.fromSources())
    const image = await stage.start(await stage.fromImage())
    const bare = await stage.start(stage.recipeOf('bolt-ack'))
    const sameText = await stage.start(stage.recipeOf('bolt-answer', await sources.load.help()))
    const pressed = [sources, image, bare]
    const helped = [...pressed, sameText]
    const helps = ({ load }: typeof bare, count: number) =>
      load.helps(count, atATime, load === bare.load ? 'nothing' : 'answer')

    for (const { load } of pressed) await load.presses(warmUp, atATime)
    for (const actor of helped) await helps(actor, warmUp)
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, load } of pressed) {
        const { count, seconds, cpuMs, benchMs, ackMs } = await load.presses(requests, atATime)
        note('acks', name, '/s', count / seconds)
        note('acks, p99', name, 'ms', percentile(ackMs, 0.99))
        note('CPU of an ack', name, 'ms', cpuMs)
        note('CPU of load and stand-ins, an ack', name, 'ms', benchMs)
      }
      for (const actor of helped) {
        const { count, seconds, cpuMs, ackMs } = await helps(actor, requests)
        note('/alert help: acks', actor.name, '/s', count / seconds)
        note('/alert help: acks, p99', actor.name, 'ms', percentile(ackMs, 0.99))
        note('/alert help: CPU of an ack', actor.name, 'ms', cpuMs)
      }
    }
  } finally {
    await stage.close()
  }
  remark(
    `Acks: *Open in monitoring* in a card’s menu, ${atATime} at a time; after it there is nothing to do. \`/alert help\` is acked with its answer, but by Bolt that only acks.`,
  )
  return measured()
}
