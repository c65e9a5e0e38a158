// Later looks at what is not certain: 30 seconds and two minutes after it was sent, and before it is told late. With the
// token of whoever sent it; nothing is ever sent again.

import { leaseMs } from '../work/lease.ts'
import type { DueLook } from './due-looks.ts'
import { isOpenDoubt, type SendOutcome } from './outcome.ts'
import { lookFor, type SeenOfWrite } from './perform.ts'
import { followUpsOf, type SendRoom } from './room.ts'
import type { KeptWish } from './wishes.ts'
import type { Write } from './writes.ts'

/** The first is counted from when the write was settled, each other one from the look before it. */
const pausesMs = [30_000, 90_000]

const atOnce = 4

/** When a doubt is first looked at, in milliseconds; undefined where no look can end it. */
export function looksLater(write: Write, outcome: SendOutcome): number | undefined {
  return write.kind !== 'add-user' && isOpenDoubt(outcome) ? pausesMs[0] : undefined
}

/** Looks at every doubt whose time has come. One that fails keeps nobody from the others: it is due again soon. */
export async function lookAgain(room: SendRoom): Promise<void> {
  await lookAtAll(room, await room.looks.claim(leaseMs))
}

/**
 * Looks once more at what is about to be told as not certain.
 * @returns The wish as it is then.
 */
export async function lookBeforeTelling(room: SendRoom, wish: KeptWish): Promise<KeptWish> {
  const { workspaceId } = wish.sender
  const looks = await room.looks.of(workspaceId, wish.id)
  if (looks.length === 0) return wish
  await lookAtAll(room, looks)
  return (await room.wishes.find(workspaceId, wish.id)) ?? wish
}

/** Some at once: a service that does not answer must not keep everybody else from being told. */
async function lookAtAll(room: SendRoom, looks: readonly DueLook[]): Promise<void> {
  const left = looks.values()
  async function lookOn(): Promise<void> {
    for (const due of left) {
      await look(room, due).catch((error: unknown) =>
        room.log.failedJob(
          'warn',
          { err: error, user: due.sender.userId },
          'what became of a write could not be looked at; trying again',
        ),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lookOn))
}

async function look(room: SendRoom, due: DueLook): Promise<void> {
  const { workspaceId, wishId, n } = due
  const { outcome, alert: after } = await find(room, due)
  const nextInMs = pausesMs[due.looks + 1]
  if (!(await room.looks.looked(due, { outcome, nextInMs })) || outcome === undefined) return
  const wish = await room.wishes.find(workspaceId, wishId)
  const send = wish?.sends.find((one) => one.n === n)
  if (wish === undefined || send === undefined) return
  const before = due.before === 'unreadable' ? undefined : due.before
  await followUpsOf(room, wish).record(wish, send, outcome, { before, after, isCorrection: true })
}

/** Nothing is found where nobody may look any more. */
async function find(
  room: SendRoom,
  { sender, write, before, outcome: known }: DueLook,
): Promise<SeenOfWrite> {
  if (write.kind === 'add-user' || before === 'unreadable') return nothing
  const token = await room.tokenOf(sender)
  return token === undefined ? nothing : lookFor(room, sender, token, write, { before, known })
}

const nothing: SeenOfWrite = { outcome: undefined, alert: undefined }
