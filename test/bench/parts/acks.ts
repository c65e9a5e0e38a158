// How fast a request is acked that costs nothing afterwards, and `/alert help`, which is acked and then answered.
import type { Cores } from '../cores.ts'
import { atLeast, atMost, type Measured, takeNotes } from '../figures.ts'
import { bellhopName } from '../servers/bellhop.ts'
import { peers } from '../servers/peers.ts'
import { openStage } from '../stage.ts'

export interface AcksPlan {
  readonly rounds: number
  /** Of each kind, from each bot in each round. */
  readonly requests: number
}

const atATime = 10
const bare = peers['bolt-ack']

export async function measureAcks(
  { rounds, requests }: AcksPlan,
  cores: Cores | undefined,
): Promise<Measured> {
  const { note, divide, remark, measured } = takeNotes('acks')
  const stage = await openStage({ cores })
  try {
    const actors = await stage.startAll(['bolt-ack', 'chat-sdk', 'slack-edge', 'floor'])
    for (let round = -1; round < rounds; round += 1) {
      // The first calls of everything compile it.
      const isWarm = round >= 0
      for (const { name, load } of actors) {
        const pressed = await load.presses(isWarm ? requests : requests / 2, atATime)
        if (!isWarm) continue
        note('acks', name, '/s', pressed.count / pressed.seconds)
        note('CPU of an ack', name, 'ms', pressed.cpuMs)
        note('CPU of load and stand-ins, an ack', name, 'ms', pressed.benchMs)
      }
      for (const { name, load } of actors.filter((one) => one.name === bellhopName || one.name === bare)) {
        const helped = await load.helps(isWarm ? requests / 2 : requests / 4, atATime, name === bellhopName)
        if (!isWarm) continue
        note('/alert help: acks', name, '/s', helped.count / helped.seconds)
        note('/alert help: CPU, answer included', name, 'ms', helped.cpuMs)
      }
    }
  } finally {
    await stage.close()
  }
  divide('acks', bellhopName, bare, atLeast(2.5))
  divide('CPU of an ack', bellhopName, bare, atMost(0.4))
  for (const other of [peers['chat-sdk'], peers['slack-edge'], peers.floor]) {
    divide('acks', bellhopName, other)
  }
  divide('/alert help: acks', bellhopName, bare)
  remark(
    `Acks: *Open in monitoring* in a card’s menu, ${atATime} at a time; after it there is nothing to do.`,
  )
  return measured()
}
