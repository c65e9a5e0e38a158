// Outcomes that are told: once, by whoever sent the wish or, should that one fail, late, by whichever process lives.
import type { House } from '../house.ts'
import { SlackError } from '../slack/client/slack-error.ts'
import { leaseMs, renewing, tellEach } from '../work/lease.ts'
import { every, type Repeated } from '../work/repeat.ts'
import { retry } from '../work/retry.ts'
import { followUpsOf } from './follow-ups.ts'
import { recordAll, type WishSent } from './send.ts'
import type { KeptWish } from './wishes.ts'

const lateMs = 5_000
/** Before one that could not be told is tried again. */
const pauseMs = 300_000
/** Between tries to keep that an outcome was told. */
const markPausesMs = [500, 5_000]

/**
 * Sends a wish and tells the outcome, while nobody else tells it. When telling fails, an outcome that is its own is left
 * to those who tell late; one that another request tells stays with that.
 * @returns False where `send` did nothing.
 * @throws what `send` or `tell` has thrown.
 */
export function sendAndTell(
  { storage: { wishes } }: House,
  workspaceId: string,
  id: string,
  send: () => Promise<WishSent | undefined>,
  tell: (sent: WishSent) => Promise<void>,
): Promise<boolean> {
  const renew = () => wishes.renew(workspaceId, id, leaseMs)
  return renewing(renew, async () => {
    const sent = await send()
    if (sent === undefined) return false
    try {
      await tell(sent)
    } catch (error) {
      // Should that fail too, they find it when its sender has had its time.
      if (sent.kind === 'settled') await wishes.leaveUntold(workspaceId, id).catch(() => undefined)
      throw error
    }
    return true
  })
}

/** Tells an outcome that is kept, to a person who pressed for it, while nobody else tells it: Slack may take minutes. */
export async function whileTelling(
  { storage: { wishes } }: House,
  { id, sender: { workspaceId } }: Pick<KeptWish, 'id' | 'sender'>,
  tell: () => Promise<void>,
): Promise<void> {
  const renew = () => wishes.renew(workspaceId, id, leaseMs)
  await renew()
  await renewing(renew, tell)
}

/**
 * Keeps that an outcome was told by its own request, and counts it, once. Whoever asked has their answer by then: it
 * never rejects.
 */
export async function noteTold(house: House, wish: KeptWish): Promise<void> {
  if (await markTold(house, wish)) followUpsOf(house, wish).count(house, wish)
}

/** Background job: ends wishes whose sender died, and tells in a direct message what could not be told at once. */
export function tellLate(house: House, everyMs = lateMs): Repeated {
  const { log } = house
  const { wishes } = house.storage
  return every(everyMs, async () => {
    try {
      await wishes.endLapsed()
      await tellEach(
        await wishes.claimUntold(leaseMs),
        (wish) => tell(house, wish),
        ({ sender, id }) => wishes.renew(sender.workspaceId, id, leaseMs),
      )
    } catch (error) {
      log.failedJob('error', { err: error }, 'late outcomes could not be reported; trying again')
    }
  })
}

async function tell(house: House, claimed: KeptWish): Promise<void> {
  const { log } = house
  const { wishes } = house.storage
  const { id, sender } = claimed
  // Its sender may have come back with what it knows.
  const wish = (await wishes.find(sender.workspaceId, id)) ?? claimed
  // Nobody has recorded what lapsed, nor what a sender sent that died before it could.
  await recordAll(house, wish)
  const followUps = followUpsOf(house, wish)
  const count = () => followUps.count(house, wish, sender)
  try {
    await house.slack.post(sender.userId, await followUps.renderLate(house, wish))
    if (await markTold(house, wish)) count()
  } catch (error) {
    // The others are told all the same.
    log.failedJob('warn', { err: error, user: sender.userId }, 'the outcome of a grant could not be reported')
    const isLost = error instanceof SlackError && error.isPersonLost
    if (!isLost) await wishes.renew(sender.workspaceId, id, pauseMs)
    else if (await wishes.told(sender.workspaceId, id)) count()
  }
}

/** True for the one caller that says so first; false where it could not be kept: then it is told once more. */
async function markTold({ storage, log, wait }: House, wish: KeptWish): Promise<boolean> {
  try {
    return await retry(() => storage.wishes.told(wish.sender.workspaceId, wish.id), {
      wait,
      pauseAfter: (_, tries) => markPausesMs[tries - 1],
    })
  } catch (error) {
    log.failedJob(
      'error',
      { err: error },
      'could not store that an outcome was reported; reporting it once more',
    )
    return false
  }
}
