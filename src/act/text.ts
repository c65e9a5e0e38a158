// Text that somebody wants to send about an alert, as monitoring gets it: people whom it mentions go by name, as the
// service knows nothing of Slack’s ids, and one that it would not take comes back to whoever wrote it.
import { tokenInText } from '../alert/input.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { noteText } from '../log/request.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { namelessIn } from '../slack/text/typed.ts'
import { holdsToken, textRefusal, type WantedText } from './acts.ts'

/** Of these people, those whom Slack names. Their full names, raw, by their id. */
export async function namesOf(
  { slack: { people } }: House,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const named = await Promise.all(userIds.map(async (id) => [id, await people.nameOf(id)] as const))
  return new Map(named.flatMap(([id, name]) => (name === undefined ? [] : [[id, name] as const])))
}

/** A mention as Slack writes it, and as people paste it. */
const mentions = /<@([UW][A-Z0-9]+)(?:\|([^<>]*))?>/g

/** The text as people read it: a mention is a name, or stays as it was typed where Slack has none. Raw. */
async function withNames(house: House, text: string): Promise<string> {
  const names = await namesOf(house, namelessIn(text))
  return text.replaceAll(mentions, (mention, id: string, label = '') => {
    const name = names.get(id) ?? label
    return name === '' ? mention : `@${name}`
  })
}

/**
 * What somebody wants to say, as it is sent.
 * @returns Raw.
 * @throws UserError where the service would not take it.
 */
export async function textToSend(house: House, said: WantedText): Promise<string> {
  const message = await withNames(house, said.message)
  const problem = textRefusal({ ...said, message })
  if (problem !== undefined) throw new UserError(`${problem} Nothing was sent.`)
  return message
}

/**
 * Does what somebody wants with a text of theirs. Where nothing comes of it, they get the text back with the reason.
 * @param message - Raw; may be empty.
 * @throws What `work` throws.
 */
export async function orTextBack(
  house: House,
  { asker }: From,
  message: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isExpected = error instanceof UserError || error instanceof MonitorError
    // A token is not repeated.
    const isToReturn = message !== '' && !holdsToken(message, await house.tokens.find(asker))
    if (isExpected && isToReturn) noteText(message)
    throw error
  }
}

/** Why a text is not sent, for the form; undefined where it is. */
export async function textProblem(
  { tokens }: House,
  asker: SlackUser,
  said: WantedText,
): Promise<string | undefined> {
  if (holdsToken(said.message, await tokens.find(asker))) return tokenInText
  return textRefusal(said)
}
