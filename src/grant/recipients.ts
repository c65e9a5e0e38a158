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
  const emails: string[] = []
  const profiles: Profile[] = []
  const problems = new Set<string>()
  for (const grantee of grantees) {
    try {
      const profile = grantee.kind === 'email' ? undefined : await slack.people.profileOf(grantee.userId)
      if (profile !== undefined) profiles.push(profile)
      emails.push(grantee.kind === 'email' ? grantee.email : (profile?.email ?? ''))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      problems.add(error.message)
    }
  }
  return { emails: eachOnce(emails), profiles, problems: [...problems] }
}
