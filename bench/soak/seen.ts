// Somebody at their Slack in a soak: what they look for, and how long they wait for it.
import type { Channel } from '../../playground/slack/model/model.ts'
import { SeenMessage } from '../../playground/slack/person/seen.ts'
import type { Random } from './random.ts'
import type { Soaker, SoakWorld } from './world.ts'

/** How long somebody waits for an answer before they do something else. */
const patienceMs = 8_000

export interface Stage {
  readonly world: SoakWorld
  readonly random: Random
  readonly soaker: Soaker
  /** What they are at. */
  readonly story: string
}

/** The newest message that this person sees, anywhere or in a channel, and that says all of it; waited for, for a while. */
export async function seen(
  { world, soaker }: Pick<Stage, 'world' | 'soaker'>,
  words: readonly string[],
  where?: Channel,
): Promise<SeenMessage> {
  const { workspace } = world.slack
  const found = () =>
    workspace.messages
      .slice(-300)
      .findLast(
        ({ channelId, isDeleted, byBot, text, blocks, ephemeralFor = soaker.person.id }) =>
          byBot &&
          !isDeleted &&
          (where === undefined || channelId === where.id) &&
          ephemeralFor === soaker.person.id &&
          words.every((word) => text.includes(word) || JSON.stringify(blocks).includes(word)),
      )
  const message = await workspace.changes.until(found, patienceMs, () => `nobody says ${words}`)
  return new SeenMessage(message, soaker.person.member, workspace)
}
