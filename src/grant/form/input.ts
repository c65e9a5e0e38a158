// Reads the form for granting: an access, or every problem at the input that has it. Pure.
import type { Filled } from '../../slack/guard/requests.ts'
import type { Access } from '../access.ts'
import { notAddresses, readAddresses, tooMany } from '../line/people.ts'
import type { GrantSettings } from '../roles.ts'
import { readContainerField } from './container.ts'
import { inputs } from './modal.ts'
import { readRole, roleInput } from './role.ts'

/** @param text - Raw: one address a line, or by comma, semicolon or space; names around them are left out. */
export function readEmails(text: string): {
  readonly emails: readonly string[]
  /** One text for all that is wrong. */
  readonly problem: string | undefined
} {
  const { emails, wrong } = readAddresses(text)
  if (emails.length === 0) return { emails, problem: 'Type an email address, such as dave@example.com.' }
  const problems = [...(wrong.length === 0 ? [] : [notAddresses(wrong)]), ...tooMany(emails)]
  return { emails, problem: problems.join(' ') || undefined }
}

export type FormAsk =
  | { readonly kind: 'grant'; readonly access: Access }
  /** By block id of the input that has the problem. */
  | { readonly kind: 'problems'; readonly problems: Readonly<Record<string, string>> }

const notAContainer = 'A container is a number of up to 15 digits, such as 12.'

/** What was filled in, or every problem at the input that has it. */
export function readForm(filled: Filled, { roles, authProviders }: GrantSettings): FormAsk {
  const { input, containerId } = readContainerField(filled)
  const { emails, problem } = readEmails(filled.text(inputs.email))
  const { member, permissions } = readRole(filled, roles)
  const authProvider = authProviders.find((one) => one === filled.choice(inputs.provider))
  if (containerId !== undefined && problem === undefined && typeof permissions !== 'string')
    return { kind: 'grant', access: { containerId, emails, authProvider, member, permissions } }
  return {
    kind: 'problems',
    problems: {
      ...(containerId === undefined && { [input]: notAContainer }),
      ...(problem !== undefined && { [inputs.email]: problem }),
      ...(typeof permissions === 'string' && { [roleInput]: permissions }),
    },
  }
}
