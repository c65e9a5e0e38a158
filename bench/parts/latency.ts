// Part of the bench: how long a person waits for the last post, the reply in the card's thread, when Slack and the service
// are as far away as they are, and what the wire takes of it.
import type { Cores } from '../cores.ts'
import { type Measured, percentile, takeNotes } from '../figures.ts'
import { openStage } from '../stage.ts'

export interface LatencyPlan {
  readonly rounds: number
  /** To each bot before anything is measured: the first calls of everything compile it. */
  readonly warmUp: number
  /** To each bot in each round: how many commands, how many at a time. */
  readonly steps: readonly { readonly commands: number; readonly atATime: number }[]
}

/** Of Slack’s answer to a message, and of the service’s with an alert. */
export const [slackMs, serviceMs] = [80, 40]
/** The alert, its card, then the reply. */
export const commandMs = serviceMs + 2 * slackMs

export async function measureLatency(
  { rounds, warmUp, steps }: LatencyPlan,
  cores: Cores | undefined,
): Promise<Measured> {
  const { note, remark, measured } = takeNotes('latency')
  const name = (part: string, atATime: number) =>
    `until the last post, ${atATime} at a time, ${part}`
  const stage = await openStage({ cores })
  try {
    const actors = await Promise.all((await stage.recipesBeside('bolt-guide')).map(stage.start))
    for (const { load } of actors) await load.commands(warmUp, 10)
    await stage.slowly(slackMs, serviceMs, async () => {
      for (let round = 0; round < rounds; round += 1) {
        for (const { commands, atATime } of steps) {
          for (const { name: who, load } of [...actors, stage.wire]) {
            const { lastPostMs } = await load.commands(commands, atATime, commandMs)
            note(name('p50', atATime), who, 'ms', percentile(lastPostMs, 0.5))
            note(name('p99', atATime), who, 'ms', percentile(lastPostMs, 0.99))
          }
        }
      }
    })
    stage.books.add()
  } finally {
    await stage.close()
  }
  remark(
    `Latency: Slack takes ${slackMs} ms for a message, the service ${serviceMs} ms for an alert; time from sending the command until Slack has answered the reply in the card’s thread. Those at a time are spread evenly. The wire is the same three requests one after the other, by nobody but the load.`,
  )
  return measured()
}
