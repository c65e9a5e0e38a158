// Rights come first: who presses a button hears what their own token is known to lack for it before a form opens or
// anything is asked. The service decides all the same when it is sent.
import { MonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import { endsAs } from '../log/request.ts'
import { containerInWords } from '../names/containers.ts'
import { againMs, isWithin } from '../names/people.ts'
import type { AlertWrite } from '../send/writes.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { inTime } from '../work/under-way.ts'
import { acts } from './acts.ts'
import { canAskInThread } from './ask-in-thread.ts'
import { containerFor } from './assign/candidates.ts'
import { renderLacking } from './render/lacking.ts'

/** A press waits no longer: what isn't known by then is unknown. */
const rightsMs = 300

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

async function isLacking(
  { monitor, names, now }: House,
  owner: SlackUser,
  token: string,
  containerId: number,
  flag: string,
): Promise<boolean> {
  const seen = names.used(owner, token)
  const { flags, flagsAt } = seen.in(containerId)
  // A lack is read again: somebody may have granted it a moment ago.
  if (isWithin(againMs, flagsAt, now()) && (flags?.includes(flag) ?? true)) return false
  try {
    const own = await monitor.ownPermissions(token, containerId)
    const has = own.kind === 'known' ? own.permissions : undefined
    seen.note(containerId, { flags: has, flagsAt: now() })
    return has !== undefined && !has.includes(flag)
  } catch (error) {
    if (error instanceof MonitorError) return false
    throw error
  }
}
