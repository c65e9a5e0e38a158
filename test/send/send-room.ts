// A room of sends on a database of its own, for what lies below Slack.
import { setTimeout as delay } from 'node:timers/promises'
import { type Result, resultsOf, type Wish, writesOf } from '../../src/grant/wish.ts'
import { createLog } from '../../src/log/log.ts'
import type { Monitor } from '../../src/monitor/client.ts'
import type { SendFollowUps, SendRoom } from '../../src/send/room.ts'
import { concludeWish, sendWish } from '../../src/send/send.ts'
import type { NewWish } from '../../src/send/wishes.ts'
import type { Clock } from '../../src/slack/ids.ts'
import { open, temporaryFile } from '../storage/files.ts'

export const sender = { workspaceId: 'T1', userId: 'U1' }

/** What the service is asked for; whatever is left out must not be. */
export type StandIn = Partial<SendRoom['monitor'] & Pick<Monitor, 'readAlert'>>

interface Options {
  readonly now?: Clock
  readonly wait?: SendRoom['wait']
  readonly stopping?: AbortSignal
  /** Two rooms on one file are two processes. */
  readonly path?: string
  readonly tokenOf?: SendRoom['tokenOf']
  readonly followUps?: Partial<SendFollowUps>
}

/** What becomes of sends is written down and told nowhere. */
export async function openSendRoom(
  monitor: StandIn,
  {
    now = Date.now,
    wait = async () => void (await delay(5)),
    stopping = new AbortController().signal,
    path = temporaryFile(),
    tokenOf = async () => 'token',
    followUps = {},
  }: Options = {},
): Promise<SendRoom> {
  const { wishes, sends, once } = await open(path, now)
  return sendRoomOn(monitor, { wishes, sends, once, now, wait, stopping, tokenOf, followUps })
}

type Given = Required<Omit<Options, 'path'>> & Pick<SendRoom, 'wishes' | 'sends' | 'once'>

/** As `openSendRoom`, on stores that are open. */
export function sendRoomOn(monitor: StandIn, { followUps, ...given }: Given): SendRoom {
  return {
    ...given,
    monitor: { ...asksNothing, ...monitor },
    outbound: { in: () => ({ post: async () => ({ channelId: 'C1', ts: '1.2' }) }) },
    followUps: followedUp(followUps),
    log: createLog({ level: 'silent' }),
  }
}

async function notAsked(): Promise<never> {
  throw new Error('the service must not be asked for this')
}

const asksNothing: Required<StandIn> = {
  addUser: notAsked,
  assignAlert: notAsked,
  commentOnAlert: notAsked,
  closeAlert: notAsked,
  readAlert: notAsked,
  // Looked at after every doubt, where the service has it.
  usersOf: async () => ({ kind: 'off' }),
}

/** The same follow-ups of every kind of write; nothing is written down, told or counted but where these do. */
export function followedUp(how: Partial<SendFollowUps> = {}): SendRoom['followUps'] {
  const followUps: SendFollowUps = {
    record: async () => undefined,
    renderLate: () => ({ text: 'late', blocks: [] }),
    count: () => undefined,
    ...how,
  }
  return { 'add-user': followUps, assign: followUps, comment: followUps, close: followUps }
}

export function newWish(id: string, wish: Wish): NewWish {
  return { id, sender, writes: writesOf(wish), channelId: 'C1', isToldElsewhere: true }
}

/** Sends a wish as an approval does: as it is told elsewhere. */
export async function makes(
  room: SendRoom,
  token: string,
  id: string,
  wish: Wish,
): Promise<readonly Result[]> {
  await room.wishes.keep(newWish(id, wish))
  const sent = await sendWish(room, sender, token, id, { askedAfter: 0 })
  return sent.kind === 'settled' ? (resultsOf(sent.wish) ?? []) : concludes(room, id, wish)
}

export async function concludes(room: SendRoom, id: string, wish: Wish): Promise<readonly Result[]> {
  return resultsOf(await concludeWish(room, newWish(id, wish))) ?? []
}
