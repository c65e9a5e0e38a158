// Later looks at what is not certain: 30 seconds and two minutes after it was sent, before it is told late, and when its
// sender asks. With the token of whoever sent it; nothing is ever sent again.

import type { Alert } from '../monitor/schema.ts'
import { leaseMs } from '../work/lease.ts'
import { isOpenDoubt, type SendOutcome, type Settled } from './outcome.ts'
import { type LookedFor, type LookingRoom, lookFor, lookingTogether, type SentWrite } from './perform.ts'
import { isInVain, type PeopleLook } from './proof.ts'
import { followUpsOf, type SendRoom } from './room.ts'
import type { DueLook, KeptWish } from './wishes.ts'
import type { Write } from './writes.ts'

/** The first is counted from when the write was settled, each other one from the look before it. */
const pausesMs = [30_000, 90_000]

const atOnce = 4

/**
 * When a doubt is first looked at, in milliseconds; undefined where no look can end it.
 * @param seen - What its sender's token showed of it.
 */
export function looksLater(
  write: Write,
  outcome: SendOutcome,
  { alert, look }: { readonly alert: Alert | undefined; readonly look: PeopleLook | undefined },
): number | undefined {
  const canLook = write.kind === 'add-user' ? look !== undefined && !isInVain(look) : alert !== undefined
  return canLook && isOpenDoubt(outcome) ? pausesMs[0] : undefined
}

/** Looks at every doubt whose time has come. One that fails keeps nobody from the others: it is due again soon. */
export async function lookAgain(room: SendRoom): Promise<void> {
  await lookAtAll(room, await room.looks.claim(leaseMs), {})
}

/**
 * Looks once more at what is about to be told as not certain.
 * @returns The wish as it is then.
 */
export async function lookBeforeTelling(room: SendRoom, wish: KeptWish): Promise<KeptWish> {
  const looks = await room.looks.of(wish.sender.workspaceId, wish.id)
  return lookBetweenTimes(room, wish, looks, {})
}

/**
 * Looks once at every doubt of a wish, as its sender asks, who is told what was seen by the caller.
 * @returns The wish as it is then.
 */
export async function lookNow(room: SendRoom, wish: KeptWish): Promise<KeptWish> {
  const looks = await room.looks.of(wish.sender.workspaceId, wish.id, 'all')
  return lookBetweenTimes(room, wish, looks, { tellingMs: leaseMs, callerTells: wish.id })
}

interface HowToLook {
  readonly keepsTime?: boolean
  readonly tellingMs?: number
  /** The wish whose outcome the caller tells. */
  readonly callerTells?: string
}

async function lookBetweenTimes(
  room: SendRoom,
  wish: KeptWish,
  looks: readonly DueLook[],
  how: HowToLook,
): Promise<KeptWish> {
  if (looks.length === 0) return wish
  await lookAtAll(room, looks, { ...how, keepsTime: true })
  return (await room.wishes.find(wish.sender.workspaceId, wish.id)) ?? wish
}

/** Some at once: a service that does not answer must not keep everybody else from being told. */
async function lookAtAll(room: SendRoom, looks: readonly DueLook[], how: HowToLook): Promise<void> {
  const left = looks.values()
  const there = lookingTogether(room)
  async function lookOn(): Promise<void> {
    for (const due of left) {
      await look(room, there, due, how).catch((error: unknown) =>
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

async function look(room: SendRoom, there: LookingRoom, due: DueLook, how: HowToLook): Promise<void> {
  const isKnown = !isOpenDoubt(due.outcome)
  const { outcome, look, alert } = isKnown ? { outcome: due.outcome } : await find(room, there, due)
  const nextInMs = look !== undefined && isInVain(look) ? undefined : pausesMs[due.looks + 1]
  if (!isKnown && !(await room.looks.looked(due, { outcome, look, nextInMs, ...how }))) return
  const isNews = outcome !== undefined || (look?.saw === 'absent' && due.look?.saw !== 'absent')
  if (isNews) await passOn(room, due, { outcome: outcome ?? due.outcome, after: alert }, how)
}

async function passOn(
  room: SendRoom,
  due: DueLook,
  { outcome, after }: { readonly outcome: Settled; readonly after: Alert | undefined },
  { callerTells }: HowToLook,
): Promise<void> {
  const wish = await room.wishes.find(due.workspaceId, due.wishId)
  const send = wish?.sends.find(({ n }) => n === due.n)
  if (wish === undefined || send === undefined) return
  const before = due.before === 'unreadable' ? undefined : due.before
  await followUpsOf(room, wish).record(wish, send, outcome, { before, after, isCorrection: true })
  if (outcome.kind !== 'uncertain') await passOnElsewhere(room, due, callerTells)
}

/** Until everybody knows, it is due again: the caller may not come to it, and others may still tell an older outcome. */
async function passOnElsewhere(room: SendRoom, due: DueLook, callerTells: string | undefined): Promise<void> {
  const ids = await room.looks.toldElsewhere(due)
  const left: string[] = []
  for (const id of ids) {
    if (id === callerTells || (await room.tellElsewhere(due.workspaceId, id)) === 'not-ended') left.push(id)
  }
  if (ids.length > 0 && left.length === 0) await room.looks.passedOn(due)
}

/** Nothing is found where nobody may look any more. */
async function find(room: SendRoom, there: LookingRoom, due: DueLook): Promise<LookedFor> {
  const sent = sentIn(due)
  const token = sent && (await room.tokenOf(due.sender))
  return sent === undefined || token === undefined ? { outcome: undefined } : lookFor(there, token, sent)
}

function sentIn({ write, before, outcome: known, look }: DueLook): SentWrite | undefined {
  if (write.kind === 'add-user') return { write, look }
  return before === undefined || before === 'unreadable' ? undefined : { write, before, known }
}
