// A house that sends, for what lies below Slack.
import { setTimeout as delay } from 'node:timers/promises'
import { performOnAlert } from '../../src/act/perform.ts'
import { type Access, type Result, resultsOf, writesOf } from '../../src/grant/access.ts'
import { addSomebody } from '../../src/grant/add.ts'
import type { House } from '../../src/house.ts'
import type { Monitor } from '../../src/monitor/client.ts'
import type { Kind } from '../../src/send/kinds.ts'
import { type NewRequest, type Request, take } from '../../src/send/request.ts'
import { keepBegun, sendBegun } from '../../src/send/send.ts'
import { telling } from '../../src/send/telling.ts'
import type { Clock } from '../../src/slack/ids.ts'
import { openHouse } from '../house.ts'

export const sender = { workspaceId: 'T1', userId: 'U1' }
export const passes = () => true

/** What the service is asked for; whatever sends need and is left out must not be. */
export type StandIn = Partial<Monitor>

interface Options {
  readonly now?: Clock
  readonly wait?: House['wait']
  readonly stopping?: AbortSignal
  /** Of the database. */
  readonly url?: string
  readonly kind?: Partial<Kind>
}

/** What becomes of sends is written down and told nowhere. */
export async function openSends(
  monitor: StandIn,
  {
    now = Date.now,
    wait = async () => void (await delay(5)),
    stopping = new AbortController().signal,
    url,
    kind = {},
  }: Options = {},
): Promise<House> {
  const house = await openHouse({ now, env: { DATABASE_URL: url } })
  return { ...house, monitor: onlyAsked(house, monitor), kinds: kindsWith(kind), wait, stopping }
}

/** The service, of which sends ask no more than this. */
export function onlyAsked(house: House, monitor: StandIn): Monitor {
  return { ...house.monitor, ...asksNothing, ...monitor }
}

async function notAsked(): Promise<never> {
  throw new Error('the service must not be asked for this')
}

const asksNothing: StandIn = {
  addUser: notAsked,
  assignAlert: notAsked,
  commentOnAlert: notAsked,
  closeAlert: notAsked,
  readAlert: notAsked,
  // Looked at after every doubt, where the service has it.
  usersOf: async () => ({ kind: 'off' }),
}

/** Every kind of write is made as in Bellhop; nothing is written down or told but where this does. */
export function kindsWith(how: Partial<Kind> = {}): House['kinds'] {
  const silent = { record: async () => undefined, tellLate: async () => undefined, count: () => undefined }
  const adding: Kind = { perform: addSomebody, ...silent, ...how }
  const acting: Kind = { perform: performOnAlert, ...silent, ...how }
  return { 'add-user': adding, assign: acting, comment: acting, close: acting, approval: adding }
}

function newRequest(id: string, wish: Access): NewRequest {
  return { id, sender, writes: writesOf(wish), channelId: 'C1' }
}

/** Keeps and sends a request. @returns It with all its outcomes; as it is kept, where it was begun before. */
async function sends(house: House, token: string, request: NewRequest): Promise<Request> {
  const begun = await keepBegun(house, request, { sender, passes })
  if (begun !== undefined) return (await telling(house, begun, () => sendBegun(house, token, begun))).request
  const kept = await house.storage.requests.find({ workspaceId: 'T1', id: request.id })
  if (kept === undefined) throw new Error(`${request.id} is not kept`)
  return kept
}

export async function makes(
  house: House,
  token: string,
  id: string,
  wish: Access,
): Promise<readonly Result[]> {
  return resultsOf(await sends(house, token, newRequest(id, wish))) ?? []
}

/** Ends what is due, as whoever comes by does. */
export async function endsDue(house: House): Promise<readonly Request[]> {
  return house.storage.requests.takeDue(take)
}
