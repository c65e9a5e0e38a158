// A room of sends on a database of its own, for what lies below Slack.
import { setTimeout as delay } from 'node:timers/promises'
import { type Result, resultsOf, type Wish, writesOf } from '../../src/grant/wish.ts'
import { createLog } from '../../src/log/log.ts'
import type { Monitor } from '../../src/monitor/client.ts'
import type { SendRoom } from '../../src/send/room.ts'
import { concludeWish, sendWish } from '../../src/send/send.ts'
import type { NewWish } from '../../src/send/wishes.ts'
import type { Clock } from '../../src/slack/ids.ts'
import { open, temporaryFile } from '../storage/files.ts'

export const sender = { workspaceId: 'T1', userId: 'U1' }

interface Options {
  readonly now?: Clock
  readonly wait?: SendRoom['wait']
  readonly stopping?: AbortSignal
}

/** What becomes of sends is written down and told nowhere. */
export async function openSendRoom(
  monitor: Pick<Monitor, 'addUser'>,
  {
    now = Date.now,
    wait = async () => void (await delay(5)),
    stopping = new AbortController().signal,
  }: Options = {},
): Promise<SendRoom> {
  const { wishes, sends } = await open(temporaryFile(), now)
  return {
    ...{ wishes, sends, monitor, wait, stopping },
    outbound: { in: () => ({ post: async () => ({ channelId: 'C1', ts: '1.2' }) }) },
    followUps: {
      'add-user': {
        record: async () => undefined,
        renderLate: () => ({ text: 'late', blocks: [] }),
        count: () => undefined,
      },
    },
    log: createLog({ level: 'silent' }),
  }
}

export function newWish(id: string, wish: Wish): NewWish {
  return { id, sender, writes: writesOf(wish), channelId: 'C1', isToldElsewhere: true }
}

/** Sends a wish as an approval does: as it is told elsewhere, and joins nothing that is settled. */
export async function makes(
  room: SendRoom,
  token: string,
  id: string,
  wish: Wish,
): Promise<readonly Result[]> {
  await room.wishes.keep(newWish(id, wish))
  const how = { askedAfter: 0, joinsSettled: false }
  const sent = await sendWish(room, sender, token, id, how)
  return sent.kind === 'settled' ? (resultsOf(sent.wish) ?? []) : concludes(room, id, wish)
}

export async function concludes(room: SendRoom, id: string, wish: Wish): Promise<readonly Result[]> {
  return resultsOf(await concludeWish(room, newWish(id, wish))) ?? []
}
