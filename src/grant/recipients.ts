// Recipients of a wish, counted: one for several people is so many requests of whoever asks.

import type { PersonLimit } from '../slack/gate/gate.ts'
import { tooFastSentence } from '../slack/gate/not-begun.ts'
import type { SlackUser } from '../slack/ids.ts'
import { grantUndone } from './render/undone.ts'
import type { Wish } from './wish.ts'

/**
 * Counts them when it is asked, before it is kept. The request itself is counted already.
 * @returns Why so many have to wait, in a sentence; undefined when they need not.
 */
export async function chargeRecipients(
  limit: PersonLimit,
  asker: SlackUser,
  emails: Wish['emails'],
): Promise<string | undefined> {
  const held = await limit.chargeMore(asker, emails.length - 1)
  return held && tooFastSentence(grantUndone, limit.perMinute, held)
}
