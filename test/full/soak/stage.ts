// A stage for what people do in a soak: who acts, what they can do and see there, and connecting, which everybody does.
import type { Channel } from '../../../playground/slack/model/model.ts'
import type { SeenMessage } from '../../../playground/slack/person/seen.ts'
import type { Asked, Ledger } from './ledger.ts'
import type { Random } from './random.ts'
import type { Soaker, SoakWorld } from './world.ts'

export interface Stage {
  readonly world: SoakWorld
  readonly ledger: Ledger
  readonly random: Random
  readonly soaker: Soaker
  /** When work is over. */
  readonly untilMs: number
  /** A number that nobody else gets. */
  number(): number
  channel(): Channel
  /** Types a command and waits for its answer, for a while. */
  types(line: string, tag: string, channel?: Channel): Promise<Asked>
  /** Waits until this is found, looking again after every change; undefined when patience is over. */
  until<T>(look: () => T | undefined): Promise<T | undefined>
  /** The newest message to this person, or in a channel, that says all of it. */
  seen(where: Channel, ...words: readonly string[]): Promise<SeenMessage | undefined>
}

export interface Act {
  readonly name: string
  readonly weight: number
  readonly may: (soaker: Soaker) => boolean
  readonly act: (stage: Stage) => Promise<void>
}

/** The form of `/alert connect`, filled in. True when it says that the account is connected. */
export async function connectAccount({ soaker, until, channel }: Stage): Promise<boolean> {
  const { person, token } = soaker
  const { outcome } = await person.types('/alert connect', channel())
  if (outcome !== 'acked') return false
  const modal = await until(() => (person.modal?.title === 'Connect account' ? person.modal : undefined))
  if (modal === undefined) return false
  await person.submits({ fields: { 'API token': token } })
  await until(() =>
    /Connected|did not answer|went wrong/.test(person.modal?.plain ?? '') ? true : undefined,
  )
  return person.modal?.plain.includes('Connected') ?? false
}
