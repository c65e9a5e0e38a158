// Text that somebody wants to send about an alert, as monitoring gets it: people whom it mentions go by name, as the
// service knows nothing of Slack’s ids, and one that it would not take comes back to whoever wrote it.

import { tokenInText } from '../alert/input.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { endsAs, type RequestOutcome, requestNow } from '../log/request.ts'
import { monitorSentence } from '../monitor/words.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { renderTextBack } from '../slack/outbound/message.ts'
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
 * What somebody wants to say, as it is sent; undefined where it is too long: they get it back.
 * @returns Raw.
 */
export async function textToSend(
  house: House,
  { place }: From,
  said: WantedText,
): Promise<string | undefined> {
  const message = await withNames(house, said.message)
  const problem = textRefusal({ ...said, message })
  if (problem === undefined) return message
  endsAs('user-error')
  await house.slack.privately(place, renderTextBack(`${problem} Nothing was sent.`, message))
  return undefined
}

/**
 * Does what somebody wants with a text of theirs. Where nothing comes of it, they get the text back with the reason.
 * @param message - Raw; may be empty.
 * @throws What `work` throws, unless it was told with the text.
 */
export async function orTextBack(
  house: House,
  { asker, place }: From,
  message: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    // A token is not repeated.
    const isToReturn = message !== '' && !holdsToken(message, await house.tokens.find(asker))
    const reason = isToReturn ? reasonOf(house, error) : undefined
    if (reason === undefined) throw error
    endsAs(reason.outcome)
    await house.slack.privately(place, renderTextBack(reason.sentence, message))
  }
}

/** Undefined for defects, and for what Slack refused. */
function reasonOf(
  { log }: House,
  error: unknown,
): { readonly sentence: string; readonly outcome: RequestOutcome } | undefined {
  if (error instanceof UserError) return { sentence: error.message, outcome: 'user-error' }
  if (!(error instanceof MonitorError)) return undefined
  const { code } = error
  const isOdd = code === 'malformed'
  if (isOdd) log.error({ err: error }, 'the service answered outside its contract')
  const reference = isOdd ? ` (Reference ${requestNow()?.id})` : ''
  return { sentence: `${monitorSentence(code)}${reference}`, outcome: `service-${code}` }
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
