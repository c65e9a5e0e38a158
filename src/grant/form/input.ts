// Reads the form for granting: a wish, or every problem at the input that has it. Pure.

import { type Filled, OddInput } from '../../slack/guard/requests.ts'
import { readField } from '../../slack/guard/suggesting-field.ts'
import { quote, withoutSecrets } from '../../slack/text/typed.ts'
import { type Flag, flagGroups, inOrder, isFlag } from '../flags.ts'
import { readContainer } from '../line/line.ts'
import { notAddresses, readAddresses, tooMany } from '../line/people.ts'
import { allowedWords, countWords, type GrantSettings, type Roles, roleTitle } from '../roles.ts'
import type { Wish } from '../wish.ts'
import { type Fields, findInput, groupInput, inputs, memberOption } from './modal.ts'
import { type Choosing, custom, type Drawn, flagsOf } from './state.ts'

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
  | {
      readonly kind: 'grant'
      readonly wish: Wish
      /** Why it is not certain to be what they mean: raw text, one line each. It is shown once more then. */
      readonly doubts: readonly string[]
    }
  /** By block id of the input that has the problem. */
  | { readonly kind: 'problems'; readonly problems: Readonly<Record<string, string>> }

const notAContainer = 'A container is a number of up to 15 digits, such as 12.'
const noRole = 'Choose a role, or Custom to choose flags.'

/** Of choices that the form had when it was opened. */
function notOffered(choices: readonly string[]): string {
  return `No longer offered: ${choices.map(quote).join(', ')}. Choose again.`
}

/** The boxes of each group that the form has, and what is ticked there. */
function groupsIn(filled: Filled) {
  return flagGroups.flatMap(({ label }) => {
    const input = findInput(filled.inputs, groupInput(label))
    return input === undefined ? [] : [{ input, chosen: filled.choices(input) }]
  })
}

type Ticked = readonly Flag[] | undefined

/** Undefined where the form has no boxes. */
function tickedIn(groups: ReturnType<typeof groupsIn>): Ticked {
  if (groups.length === 0) return undefined
  return inOrder(new Set(groups.flatMap(({ chosen }) => chosen.filter(isFlag))))
}

/**
 * What was filled in, or every problem at the input that has it.
 * @param drawn - What the form showed of its role.
 */
export function readForm(filled: Filled, { roles, authProviders }: GrantSettings, drawn?: Drawn): FormAsk {
  const container = readField(filled, inputs.container)
  const containerId = readContainer(container.text)
  const people = readEmails(filled.text(inputs.email))
  const authProvider = filled.choice(inputs.provider)
  const groups = groupsIn(filled)
  const memberId = findInput(filled.inputs, inputs.member) ?? inputs.member
  const memberChosen = filled.choices(memberId)
  const access = drawn && readAccess(filled, drawn, tickedIn(groups), roles)
  const problems: Record<string, string> = {}
  if (containerId === undefined) problems[container.input] = notAContainer
  if (people.kind === 'problem') problems[inputs.email] = people.problem
  if (access?.kind === 'problem') problems[inputs.role] = access.problem
  if (authProvider !== undefined && !authProviders.includes(authProvider)) {
    problems[inputs.provider] = 'This sign-in provider is no longer offered.'
  }
  for (const { input, chosen } of groups) {
    const unknown = chosen.filter((flag) => !isFlag(flag))
    if (unknown.length > 0) problems[input] = notOffered(unknown)
  }
  const unknown = memberChosen.filter((choice) => choice !== memberOption.value)
  if (unknown.length > 0) problems[memberId] = notOffered(unknown)
  if (
    containerId === undefined ||
    people.kind === 'problem' ||
    access?.kind === 'problem' ||
    Object.keys(problems).length > 0
  ) {
    return { kind: 'problems', problems }
  }
  const { permissions, doubts } = access ?? { permissions: tickedIn(groups) ?? [], doubts: [] }
  const member = memberChosen.length > 0
  const { emails } = people
  return { kind: 'grant', wish: { containerId, emails, authProvider, member, permissions }, doubts }
}

type Access =
  | { readonly kind: 'access'; readonly permissions: readonly Flag[]; readonly doubts: readonly string[] }
  | { readonly kind: 'problem'; readonly problem: string }

/**
 * The flags that were submitted: those that are ticked, else those that the form showed for the role. Slack submits a
 * form as it is, and the last choice may not be drawn in it yet.
 */
function readAccess(filled: Filled, drawn: Drawn, ticked: Ticked, roles: Roles): Access {
  const hasMenu = filled.inputs.includes(inputs.role)
  const role = hasMenu ? filled.choice(inputs.role) : drawn.role
  if (role === undefined) return { kind: 'problem', problem: noRole }
  if (role === custom) {
    const unseen = ticked === undefined && drawn.flags.length > 0 ? [unseenWords(custom, drawn.flags)] : []
    return { kind: 'access', permissions: ticked ?? drawn.flags, doubts: unseen }
  }
  const granted = flagsOf(role, roles)
  if (granted === undefined) return { kind: 'problem', problem: notOffered([role]) }
  const title = roleTitle(role)
  if (ticked === undefined && role !== drawn.role) {
    return { kind: 'access', permissions: granted, doubts: [unseenWords(title, granted)] }
  }
  const permissions = ticked ?? drawn.flags
  return { kind: 'access', permissions, doubts: differences(title, granted, permissions) }
}

function unseenWords(title: string, permissions: readonly Flag[]): string {
  return `You chose ${title} just before you sent the form. It allows: ${allowedWords(permissions)}.`
}

/** More are counted. */
const mostNamed = 5

/** How what was submitted differs from the role; empty when it does not. */
function differences(title: string, granted: readonly Flag[], asked: readonly Flag[]): readonly string[] {
  const added = asked.filter((flag) => !granted.includes(flag))
  const missing = granted.filter((flag) => !asked.includes(flag))
  if (added.length + missing.length === 0) return []
  const named = (some: readonly Flag[]) => (some.length > mostNamed ? countWords(some) : some.join(', '))
  return [
    `These flags differ from the role ${title}.`,
    ...(added.length === 0 ? [] : [`• Added: ${named(added)}`]),
    ...(missing.length === 0 ? [] : [`• Left out: ${named(missing)}`]),
  ]
}

/** What stands in the form while it is filled in. What cannot be read counts as empty: nothing is sent by it. */
export function choosingIn(filled: Filled, chose: Choosing['chose']): Choosing {
  const memberId = findInput(filled.inputs, inputs.member) ?? inputs.member
  return {
    chose,
    role: orEmpty(() => filled.choice(inputs.role), undefined),
    ticked: orEmpty(() => tickedIn(groupsIn(filled)), undefined),
    isMember: orEmpty(() => filled.choices(memberId), []).length > 0,
  }
}

/** The same of its fields. What may be a token is sent nowhere: Slack keeps what somebody has typed. */
export function fieldsIn(filled: Filled): Omit<Fields, 'container'> & { readonly container: string } {
  const text = (read: () => string) => {
    const typed = orEmpty(read, '')
    return withoutSecrets(typed) === typed ? typed : ''
  }
  return {
    container: text(() => readField(filled, inputs.container).text),
    emails: text(() => filled.text(inputs.email)),
    authProvider: orEmpty(() => filled.choice(inputs.provider), undefined),
  }
}

function orEmpty<T>(read: () => T, empty: T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof OddInput) return empty
    throw error
  }
}
