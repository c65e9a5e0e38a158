// Reading of a form about an alert: what stands in it is sent as it was typed, or refused in the form.
import { tokenInText } from '../../alert/input.ts'
import type { Submission } from '../../slack/guard/requests.ts'
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
  /** Does what it asks for. @param kept - Answers the form, once that is kept or cannot be. May be called again. */
  readonly act: (kept: () => Promise<void>) => Promise<void>
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

/** Answers a form that is done with, once, however often it is called. */
export function answering({ ack }: Pick<Submission, 'ack'>): () => Promise<void> {
  let answered: Promise<void> | undefined
  return () => {
    answered ??= ack()
    return answered
  }
}
