// Rights come first: who presses a button hears what their own token is known to lack for it before a form opens or
// anything is asked. The service decides all the same when it is sent.
import type { House } from '../house.ts'
import { endsAs } from '../log/request.ts'
import { containerInWords } from '../names/containers.ts'
import { isLacking, rightsMs } from '../names/rights.ts'
import type { AlertWrite } from '../send/writes.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { inTime } from '../work/under-way.ts'
import { acts } from './acts.ts'
import { canAskInThread } from './ask-in-thread.ts'
import { containerFor } from './assign/candidates.ts'
import { renderLacking } from './render/lacking.ts'

/** What somebody is about to do. */
type Wanted = Pick<AlertWrite, 'kind' | 'ks' | 'message' | 'cardId'>

/** Tells somebody that their token lacks the flag for it. @returns False where it lacks nothing that is known. */
export async function hearsOfLack(house: House, { asker, place }: From, wanted: Wanted): Promise<boolean> {
  const containerId = await inTime(containerLacking(house, asker, wanted), rightsMs)
  if (containerId === undefined) return false
  const where = containerInWords(house, asker, containerId) ?? `container ${containerId}`
  const canAsk = await canAskInThread(house, asker, wanted.cardId)
  endsAs('service-forbidden')
  await house.slack.privately(place, renderLacking(wanted, where, canAsk))
  return true
}

/** The alert's container, where their token lacks the flag there; else undefined. Never rejects for the service. */
async function containerLacking(
  house: House,
  asker: SlackUser,
  { kind, ...alert }: Wanted,
): Promise<number | undefined> {
  const token = await house.tokens.find(asker)
  const id = token === undefined ? undefined : await containerFor(house, asker, token, alert)
  if (token === undefined || id === undefined) return undefined
  return (await isLacking(house, asker, token, id, acts[kind].flag)) ? id : undefined
}
