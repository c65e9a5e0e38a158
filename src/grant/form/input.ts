// Reads the form for granting: a access, or every problem at the input that has it. Pure.
import type { Filled } from '../../slack/guard/requests.ts'
import { quote } from '../../slack/text/typed.ts'
import type { Access } from '../access.ts'
import { type Flag, inOrder, isFlag } from '../flags.ts'
import { notAddresses, readAddresses, tooMany } from '../line/people.ts'
import type { GrantSettings, Roles } from '../roles.ts'
import { readContainerField } from './container.ts'
import { inputs } from './modal.ts'
import { custom, flagInputs, flagsOf, memberInput, roleInput } from './role.ts'

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
const noRole = 'Choose a role, or Custom to choose flags.'
/** Slack submits a form as it is: the choice may not be drawn in it yet. */
const noBoxes = 'Custom has a box for each flag. Tick those you want, then send the form again.'

/** What was filled in, or every problem at the input that has it. */
export function readForm(filled: Filled, { roles, authProviders }: GrantSettings): FormAsk {
  const { input, containerId } = readContainerField(filled)
  const { emails, problem } = readEmails(filled.text(inputs.email))
  const authProvider = filled.choice(inputs.provider)
  const permissions = readFlags(filled, roles)
  const problems: Record<string, string> = {}
  if (containerId === undefined) problems[input] = notAContainer
  if (problem !== undefined) problems[inputs.email] = problem
  if (typeof permissions === 'string') problems[roleInput] = permissions
  if (authProvider !== undefined && !authProviders.includes(authProvider)) {
    problems[inputs.provider] = 'This sign-in provider is no longer offered.'
  }
  if (containerId === undefined || typeof permissions === 'string' || Object.keys(problems).length > 0) {
    return { kind: 'problems', problems }
  }
  const member = filled.choices(memberInput(filled.inputs)).length > 0
  return { kind: 'grant', access: { containerId, emails, authProvider, member, permissions } }
}

/** Flags of the role or, where it is *Custom* or there are no roles, those that are ticked; else what is wrong there. */
function readFlags(filled: Filled, roles: Roles): readonly Flag[] | string {
  const role = filled.inputs.includes(roleInput) ? filled.choice(roleInput) : custom
  if (role === undefined) return noRole
  if (role !== custom) return flagsOf(role, roles) ?? `No longer offered: ${quote(role)}. Choose again.`
  const boxes = flagInputs(filled.inputs)
  if (boxes.length === 0) return noBoxes
  return inOrder(new Set(boxes.flatMap((box) => filled.choices(box).filter(isFlag))))
}
