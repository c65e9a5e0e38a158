// Rights come first: who presses a button hears what their own token is known to lack for it before a form opens or
// anything is asked. The service decides all the same when it is sent.
import type { House } from '../house.ts'
import { endsAs } from '../log/request.ts'
import { containerInWords } from '../names/containers.ts'
import { isLacking, rightsMs } from '../names/people.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { describe } from '../slack/outbound/message.ts'
import { inTime } from '../work/under-way.ts'
import { acts } from './acts.ts'
import { askButtons } from './ask-in-thread.ts'
import { containerFor } from './assign/candidates.ts'
import type { KeyedIntent } from './intent.ts'

/** Tells somebody that their token lacks the flag for it. @returns False where it lacks nothing that is known. */
export async function hearsOfLack(
  house: House,
  { asker, place }: From,
  { act, message, cardId, which: { ks } }: KeyedIntent,
): Promise<boolean> {
  const { flag, verb } = acts[act]
  const containerId = await inTime(containerLacking(house, asker, flag, ks, cardId), rightsMs)
  if (containerId === undefined) return false
  const where = containerInWords(house, asker, containerId) ?? `container ${containerId}`
  const why = `⛔ You can’t ${verb} this alert: your token lacks ${flag} on ${where}.`
  const lines = [why, 'Somebody with CONTAINER_ACCESS there can add it.']
  const buttons = await askButtons(house, asker, { kind: act, cardId })
  endsAs('service-forbidden')
  await house.slack.privately(place, describe({ lines, toCopy: message || undefined, buttons }))
  return true
}

/** The alert's container, where their token lacks the flag there; else undefined. Never rejects for the service. */
async function containerLacking(
  house: House,
  asker: SlackUser,
  flag: string,
  ks: string,
  cardId: string | undefined,
): Promise<number | undefined> {
  const token = await house.tokens.find(asker)
  const id = token === undefined ? undefined : await containerFor(house, asker, token, ks, cardId)
  if (token === undefined || id === undefined) return undefined
  return (await isLacking(house, asker, token, id, flag)) ? id : undefined
}
