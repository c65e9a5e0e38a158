// Recipients of a access before it is kept: those who were mentioned are found.
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { Profile } from '../slack/workspace/people.ts'
import { eachOnce, type Grantee } from './line/people.ts'

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
export async function findRecipients({ slack }: House, grantees: readonly Grantee[]): Promise<Recipients> {
  const found: Grantee[] = []
  const profiles: Profile[] = []
  const problems = new Set<string>()
  for (const grantee of grantees) {
    if (grantee.kind === 'email') found.push(grantee)
    else {
      try {
        const profile = await slack.people.profileOf(grantee.userId)
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
