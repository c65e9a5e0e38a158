// What somebody filled into the form, or every problem at the input that has it. Pure.

import type { Filled } from '../slack/filled.ts'
import { escapeText } from '../slack/mrkdwn.ts'
import { flagGroups, isFlag } from './flags.ts'
import { readContainer } from './input.ts'
import { type GrantSettings, inOrder } from './input-flags.ts'
import { eachOnce, notAddresses, readPieces, tooMany, withoutNames } from './input-people.ts'
import { groupInput, inputs, memberOption } from './modal.ts'
import type { Wish } from './wishes.ts'

export type Emails =
  | { readonly kind: 'emails'; readonly emails: readonly string[] }
  /** One text for all that is wrong. */
  | { readonly kind: 'problem'; readonly problem: string }

/** @param text - Raw: one address a line, or by comma, semicolon or space; names around them are left out. */
export function readEmails(text: string): Emails {
  const { pieces } = withoutNames(readPieces(escapeText(text)))
  const wrong = pieces.flatMap((piece) => (piece.kind === 'word' ? [piece.word.text] : []))
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

/** What was filled in, or every problem at the input that has it. */
export function readForm(filled: Filled, { authProviders }: GrantSettings): FormAsk {
  const containerId = readContainer(filled.text(inputs.container))
  const people = readEmails(filled.text(inputs.email))
  const authProvider = filled.choice(inputs.provider)
  const problems: Record<string, string> = {}
  if (containerId === undefined) problems[inputs.container] = notAContainer
  if (people.kind === 'problem') problems[inputs.email] = people.problem
  if (authProvider !== undefined && !authProviders.includes(authProvider)) {
    problems[inputs.provider] = 'This sign-in provider is not offered any more.'
  }
  if (containerId === undefined || people.kind === 'problem' || Object.keys(problems).length > 0) {
    return { kind: 'problems', problems }
  }
  const chosen = flagGroups.flatMap(({ label }) => filled.choices(groupInput(label)))
  const permissions = inOrder(new Set(chosen.filter(isFlag)))
  const member = filled.choices(inputs.member).includes(memberOption.value ?? '')
  const { emails } = people
  return { kind: 'grant', wish: { containerId, emails, authProvider, member, permissions } }
}
