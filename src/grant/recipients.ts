// A wish for several people counts as so many requests of whoever asks. Counted when it is asked, before it is kept.

import { tooFast } from '../slack/gate/held-back.ts'
import type { PersonLimit } from '../slack/gate/person-limit.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Wish } from './wishes.ts'

/** Why so many have to wait, in a sentence; undefined when they need not. The request itself is counted already. */
export type TooMany = (asker: SlackUser, emails: Wish['emails']) => Promise<string | undefined>

export function createTooMany(limit: PersonLimit): TooMany {
  return async (asker, emails) => {
    const held = await limit.takeMore(asker, emails.length - 1)
    return held && tooFast('grant', limit.perMinute, held)
  }
}
