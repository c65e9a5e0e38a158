// Recipients of a wish before it is kept: those who were mentioned are found, and each counts as a request of whoever asks.

import { UserError } from '../errors.ts'
import { type PersonLimit, tooFastSentence } from '../slack/gate/gate.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { People, Profile } from '../slack/workspace/people.ts'
import { eachOnce, type Grantee } from './line/people.ts'
import { grantUndone } from './render/explain.ts'
import type { Wish } from './wish.ts'

export interface Recipients {
  /** In the order they were named, nobody twice; without those of `problems`. */
  readonly emails: readonly string[]
  /** Of those who were mentioned. */
  readonly profiles: readonly Profile[]
  /** Why somebody cannot be given access: raw, a sentence each, or two. */
  readonly problems: readonly string[]
}

/**
 * Finds the addresses of those who were mentioned.
 * @throws What Slack's client throws, where Slack fails.
 */
export async function findRecipients(people: People, grantees: readonly Grantee[]): Promise<Recipients> {
  const found: Grantee[] = []
  const profiles: Profile[] = []
  const problems = new Set<string>()
  for (const grantee of grantees) {
    if (grantee.kind === 'email') found.push(grantee)
    else {
      try {
        const profile = await people.profileOf(grantee.userId)
        profiles.push(profile)
        found.push({ kind: 'email', email: profile.email })
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        problems.add(error.message)
      }
    }
  }
  const emails = eachOnce(found).flatMap((one) => (one.kind === 'email' ? [one.email] : []))
  return { emails, profiles, problems: [...problems] }
}

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
