// Reads the form for granting: a wish, or every problem at the input that has it. Pure.

import type { Filled } from '../../slack/guard/requests.ts'
import { readField } from '../../slack/guard/suggesting-field.ts'
import { quote } from '../../slack/text/typed.ts'
import { type Flag, inOrder, isFlag } from '../flags.ts'
import { readContainer } from '../line/line.ts'
import { notAddresses, readAddresses, tooMany } from '../line/people.ts'
import type { GrantSettings, Roles } from '../roles.ts'
import type { Wish } from '../wish.ts'
import { custom, flagInputs, flagsOf, memberInput, roleInput } from './access.ts'
import { inputs } from './modal.ts'

export type Emails =
  | { readonly kind: 'emails'; readonly emails: readonly string[] }
  /** One text for all that is wrong. */
  | { readonly kind: 'problem'; readonly problem: string }

/** @param text - Raw: one address a line, or by comma, semicolon or space; names around them are left out. */
export function readEmails(text: string): Emails {
  const { emails, wrong } = readAddresses(text)
  if (emails.length === 0) {
    return { kind: 'problem', problem: 'Type an email address, such as dave@example.com.' }
  }
  const many = tooMany(emails)
  const problems = [
    ...(wrong.length === 0 ? [] : [notAddresses(wrong)]),
    ...(many === undefined ? [] : [many]),
  ]
  return problems.length === 0 ? { kind: 'emails', emails } : { kind: 'problem', problem: problems.join(' ') }
}

export type FormAsk =
  | { readonly kind: 'grant'; readonly wish: Wish }
  /** By block id of the input that has the problem. */
  | { readonly kind: 'problems'; readonly problems: Readonly<Record<string, string>> }

const notAContainer = 'A container is a number of up to 15 digits, such as 12.'
const noRole = 'Choose a role, or Custom to choose flags.'
/** Slack submits a form as it is: the choice may not be drawn in it yet. */
const noBoxes = 'Custom has a box for each flag. Tick those you want, then send the form again.'

/** Of choices that the form had when it was opened. */
function notOffered(choices: readonly string[]): string {
  return `No longer offered: ${choices.map(quote).join(', ')}. Choose again.`
}

/** What was filled in, or every problem at the input that has it. */
export function readForm(filled: Filled, { roles, authProviders }: GrantSettings): FormAsk {
  const container = readField(filled, inputs.container)
  const containerId = readContainer(container.text)
  const people = readEmails(filled.text(inputs.email))
  const authProvider = filled.choice(inputs.provider)
  const access = readAccess(filled, roles)
  const problems: Record<string, string> = {}
  if (containerId === undefined) problems[container.input] = notAContainer
  if (people.kind === 'problem') problems[inputs.email] = people.problem
  if (access.kind === 'problem') problems[access.input] = access.problem
  if (authProvider !== undefined && !authProviders.includes(authProvider)) {
    problems[inputs.provider] = 'This sign-in provider is no longer offered.'
  }
  if (
    containerId === undefined ||
    people.kind === 'problem' ||
    access.kind === 'problem' ||
    Object.keys(problems).length > 0
  ) {
    return { kind: 'problems', problems }
  }
  const member = filled.choices(memberInput(filled.inputs)).length > 0
  const { permissions } = access
  return { kind: 'grant', wish: { containerId, emails: people.emails, authProvider, member, permissions } }
}

type Access =
  | { readonly kind: 'access'; readonly permissions: readonly Flag[] }
  | { readonly kind: 'problem'; readonly input: string; readonly problem: string }

/** Flags of the role or, where it is *Custom* or there are no roles, those that are ticked. */
function readAccess(filled: Filled, roles: Roles): Access {
  const hasMenu = filled.inputs.includes(roleInput)
  const role = hasMenu ? filled.choice(roleInput) : custom
  const atRole = (problem: string) => ({ kind: 'problem', input: roleInput, problem }) as const
  if (role === undefined) return atRole(noRole)
  if (role !== custom) {
    const permissions = flagsOf(role, roles)
    return permissions === undefined ? atRole(notOffered([role])) : { kind: 'access', permissions }
  }
  const boxes = flagInputs(filled.inputs)
  if (boxes.length === 0) return atRole(noBoxes)
  const ticked: Flag[] = []
  for (const input of boxes) {
    const chosen = filled.choices(input)
    const known = chosen.filter(isFlag)
    const gone = chosen.filter((flag) => !isFlag(flag))
    if (gone.length > 0) return { kind: 'problem', input, problem: notOffered(gone) }
    ticked.push(...known)
  }
  return { kind: 'access', permissions: inOrder(new Set(ticked)) }
}
