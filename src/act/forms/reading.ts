// Reading of a form about an alert: what stands in it is sent as it was typed, or refused in the form.
import { tokenInText } from '../../alert/asking/token.ts'
import type { SlackUser } from '../../slack/ids.ts'
import type { Place } from '../../slack/outbound/delivery.ts'
import type { ActRoom } from '../room.ts'
import { holdsToken, lengthProblem, type WantedText } from '../text-rules.ts'

/** A form that was read. */
export interface ReadForm {
  /** Where its verdict goes. */
  readonly place: Place
  /** Sentences by the id of their input, raw; empty where it is taken. */
  readonly errors: Readonly<Record<string, string>>
  /** Does what it asks for. */
  readonly act: () => Promise<void>
}

/** Why a text is not sent, for the form; undefined where it is. */
export async function textProblem(
  { account }: Pick<ActRoom, 'account'>,
  asker: SlackUser,
  said: WantedText,
): Promise<string | undefined> {
  if (holdsToken(said.message, await account.tokens.find(asker))) return tokenInText
  const problem = lengthProblem(said)
  return problem && `${problem}${said.isSolution ? ' Say more, or don’t tick “This is the solution”.' : ''}`
}
