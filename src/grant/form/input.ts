// Reads the form for granting: a wish, or every problem at the input that has it. Pure.

import type { Filled } from '../../slack/guard/submitted-form.ts'
import { escapeText } from '../../slack/text/mrkdwn.ts'
import { quote } from '../../slack/text/typed.ts'
import { flagGroups, isFlag } from '../flags.ts'
import { type GrantSettings, inOrder } from '../line/extras.ts'
import { readContainer } from '../line/line.ts'
import { eachOnce, notAddresses, readPieces, tooMany, withoutNames } from '../line/people.ts'
import type { Wish } from '../wish.ts'
import { groupInput, inputs, memberOption } from './modal.ts'

export type Emails =
  | { readonly kind: 'emails'; readonly emails: readonly string[] }
  /** One text for all that is wrong. */
  | { readonly kind: 'problem'; readonly problem: string }

/** @param text - Raw: one address a line, or by comma, semicolon or space; names around them are left out. */
export function readEmails(text: string): Emails {
  const { pieces } = withoutNames(readPieces(escapeText(text)))
  const wrong = pieces.flatMap((piece) => {
    if (piece.kind === 'word') return [piece.word.text]
    // Pasted from elsewhere: nobody is looked up when the form is sent.
    return piece.kind === 'person' && piece.grantee.kind === 'person' ? [`<@${piece.grantee.userId}>`] : []
  })
  const grantees = eachOnce(pieces.flatMap((piece) => (piece.kind === 'person' ? [piece.grantee] : [])))
  const emails = grantees.flatMap((grantee) => (grantee.kind === 'email' ? [grantee.email] : []))
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

const notAContainer = 'A container is a number, such as 12, of 15 digits at most.'

/** Of choices that the form had when it was opened, by an earlier version. */
function notOffered(choices: readonly string[]): string {
  return `Not offered any more: ${choices.map(quote).join(', ')}. Choose again.`
}

/** What was filled in, or every problem at the input that has it. */
export function readForm(filled: Filled, { authProviders }: GrantSettings): FormAsk {
  const containerId = readContainer(filled.text(inputs.container))
  const people = readEmails(filled.text(inputs.email))
  const authProvider = filled.choice(inputs.provider)
  const groups = flagGroups.map(({ label }) => {
    const input = groupInput(label)
    return { input, chosen: filled.choices(input) }
  })
  const memberChosen = filled.choices(inputs.member)
  const problems: Record<string, string> = {}
  if (containerId === undefined) problems[inputs.container] = notAContainer
  if (people.kind === 'problem') problems[inputs.email] = people.problem
  if (authProvider !== undefined && !authProviders.includes(authProvider)) {
    problems[inputs.provider] = 'This sign-in provider is not offered any more.'
  }
  for (const { input, chosen } of groups) {
    const unknown = chosen.filter((flag) => !isFlag(flag))
    if (unknown.length > 0) problems[input] = notOffered(unknown)
  }
  const unknown = memberChosen.filter((choice) => choice !== memberOption.value)
  if (unknown.length > 0) problems[inputs.member] = notOffered(unknown)
  if (containerId === undefined || people.kind === 'problem' || Object.keys(problems).length > 0) {
    return { kind: 'problems', problems }
  }
  const permissions = inOrder(new Set(groups.flatMap(({ chosen }) => chosen.filter(isFlag))))
  const member = memberChosen.length > 0
  const { emails } = people
  return { kind: 'grant', wish: { containerId, emails, authProvider, member, permissions } }
}
