// Resident memory: of a bot that does nothing yet, and after so many commands.
import type { Cores } from '../cores.ts'
import { type Measured, takeNotes } from '../figures.ts'
import { rssMbOf, untilQuiet } from '../process-figures.ts'
import { bellhopName } from '../servers/bellhop.ts'
import { peers } from '../servers/peers.ts'
import { type Actor, openStage } from '../stage.ts'

export interface MemoryPlan {
  /** Fresh processes of each. */
  readonly rounds: number
  /** After so many commands they are compared. */
  readonly commands: number
  /** How far Bellhop goes on to, in the first round; no further when that is no more. */
  readonly most: number
}

const atATime = 10
/** Sent at a stretch: requests are made beforehand. */
const stretch = 5_000
const idle = 'memory, idle'

export async function measureMemory(
  { rounds, commands, most }: MemoryPlan,
  cores: Cores | undefined,
): Promise<Measured> {
  const { note, remark, measured } = takeNotes('memory')
  const after = (count: number) => `memory, after ${count.toLocaleString('en')} commands`
  const stage = await openStage({ cores })

  async function noteMemory(what: string, { name, server }: Actor): Promise<void> {
    await untilQuiet(server.pid)
    note(what, name, 'MB', rssMbOf(server.pid))
  }
  async function send({ load }: Actor, count: number): Promise<void> {
    for (let sent = 0; sent < count; sent += stretch) {
      await load.commands(Math.min(stretch, count - sent), atATime)
    }
  }

  try {
    const recipes = [await stage.bellhop(), stage.recipeOf('bolt-guide'), stage.recipeOf('bolt-ack')]
    for (let round = 0; round < rounds; round += 1) {
      for (const recipe of recipes) {
        const actor = await stage.start(recipe)
        await noteMemory(idle, actor)
        if (recipe.name !== peers['bolt-ack']) {
          await send(actor, commands)
          await noteMemory(after(commands), actor)
          if (recipe.name === bellhopName && round === 0 && most > commands) {
            await send(actor, most - commands)
            await noteMemory(after(most), actor)
          }
        }
        await stage.end(actor)
      }
    }
    stage.books.add()
  } finally {
    await stage.close()
  }
  remark(`Memory: resident, of a fresh process; commands ${atATime} at a time, without latency.`)
  return measured()
}
