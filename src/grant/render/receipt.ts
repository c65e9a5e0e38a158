// Messages about a grant: the question before it, and its receipts with their buttons. Pure.
import type { Button, Overflow } from '@slack/types'
import type { Reason } from '../../send/request.ts'
import { bold, button, describe, type Message, menu } from '../../slack/outbound/message.ts'
import { cut, escapeText, limits, literal, plain, time } from '../../slack/text/mrkdwn.ts'
import type { Profile } from '../../slack/workspace/people.ts'
import {
  type Access,
  hasCode,
  haveAddresses,
  isGranted,
  isLacking,
  lacking,
  leftToEdit,
  nameInFull,
  nameOf,
  publicly,
  type Result,
  restOf,
} from '../access.ts'
import { accessName } from '../access-name.ts'
import { kindWords, type Question } from '../kind-words.ts'
import { roleOf, roleTitle } from '../roles.ts'
import { endMenu, endsLine } from './lasting.ts'
import { accessLine, described, inOnePiece, type ReceiptView } from './words.ts'

/** Action ids. Each button's value has the id of the request. */
export const grantActions = {
  confirm: 'grant.confirm',
  cancel: 'grant.cancel',
  askApproval: 'grant.ask-approval',
  share: 'grant.share',
  rest: 'grant.rest',
  edit: 'grant.edit',
  look: 'grant.look',
  invite: 'grant.invite',
  person: 'grant.person',
} as const

/** Characters of an address in a remark: twenty of the longest would be too much for one message. */
const longestEmail = 100

/** Says which Slack profile an address is from. Raw. */
export function originWords({ email, name, isGuest }: Profile): string {
  const guest = isGuest ? ', a guest here' : ''
  return `${cut(email, longestEmail)} is from the Slack profile of ${cut(name, 80)}${guest}.`
}

/** A warning: monitoring doesn’t document what a second invitation does to the first. Raw. */
export function alreadyInvited(email: string): string {
  return `${cut(email, longestEmail)} is invited already. Inviting them again may replace that.`
}

/**
 * Asks before a grant is sent. @param why - Reasons for asking, a line each, raw. @param warnings - Raw; said first, and
 * once more when the button is pressed.
 */
export function renderQuestion(
  id: string,
  access: Access,
  why: readonly string[],
  warnings: readonly string[],
  { roles, container }: ReceiptView,
): Message {
  const { kind, people } = access
  const [only] = people
  const whom = people.length === 1 && only ? nameInFull(only) : `${people.length} people`

  const plainly: Question = {
    headline: 'Grant this access?',
    lines: [accessLine(access, roles, container)],
    label: 'Grant access',
  }

  const question = kindWords[kind].question?.(access, { roles, where: container, whom }) ?? plainly
  const { headline, lines, label, style = 'primary' } = question

  const send = button(grantActions.confirm, label, id, style)
  const confirm = {
    title: plain(`${label}?`),
    text: literal(warnings.join('\n')),
    confirm: plain(label),
    deny: plain('Cancel'),
  }

  return describe({
    headline,
    lines: [
      ...warnings.map((one) => [bold(one)]),
      inOnePiece([...lines, ...why]),
      endsLine(access, 'your'),
    ],
    buttons: [
      warnings.length === 0 ? send : { ...send, confirm },
      button(grantActions.cancel, 'Cancel', id),
    ],
  })
}

/** Says that a colleague has to be asked. @param lacks - Why, raw. */
export function renderColleagueNeeded(
  id: string,
  access: Access,
  lacks: string,
  { roles, container }: ReceiptView,
): Message {
  const line = accessLine(access, roles, container)
  return describe({
    headline: 'Not sent yet',
    lines: [
      inOnePiece([line, lacks, 'To ask a colleague, press Ask for approval.']),
      endsLine(access, 'the approver’s'),
    ],
    buttons: [askApprovalButton(id, 'primary')],
  })
}

/** The button alone: the room `approval` says who is asked, and how. */
export function askApprovalButton(id: string, style?: 'primary'): Button {
  return button(grantActions.askApproval, 'Ask for approval', id, style)
}

export interface ReceiptNotes extends Omit<ReceiptView, 'askerName'> {
  readonly canShare: boolean
  /** True if the service can do more than add people: then there are lists to look at. */
  readonly canLook: boolean
  /** False once *Try again* was pressed: the receipt then has no such button. */
  readonly isRestOpen?: boolean
  readonly line?: string | undefined
  /** In mrkdwn. */
  readonly notes?: readonly string[]
}

/** The receipt, for the asker alone. @param id - Of the request, for the buttons. */
export function renderReceipt(
  id: string,
  access: Access,
  results: readonly Result[],
  { canShare, canLook, isRestOpen = true, line, notes = [], ...view }: ReceiptNotes,
): Message {
  const { headline, lines } = described(access, results, view)
  const hasNew = results.some(isGranted)
  const again = results.length === 1 ? 'Try again' : 'Try the rest again'
  const mayLook =
    canLook &&
    results.some(({ outcome: one }) => one.kind === 'uncertain' && !unlookable.has(one.cause))

  const mayEdit = access.kind === 'add-user' && leftToEdit(results).length > 0
  const mayInvite = results.some(({ canInvite }) => canInvite)
  const changes = edits(id, access, results, view)

  return describe({
    headline,
    lines: [...lines, line && 'The same from the command line:'],
    toCopy: line,
    notes,
    // Each button checks once more, when pressed, whether it can do anything.
    buttons: [
      ...(hasNew ? [] : changes),
      mayLook && button(grantActions.look, 'Look again', id),
      hasCode(results, 'forbidden') && haveAddresses(access) && askApprovalButton(id),
      isRestOpen && restOf(results).length > 0 && button(grantActions.rest, again, id),
      mayEdit && button(grantActions.edit, 'Edit and try again', id),
      mayInvite && button(grantActions.invite, 'Invite by email', id),
      canShare && hasNew && button(grantActions.share, 'Share in channel', id),
      // Buttons that undo come last.
      ...(hasNew && canLook ? changes : []),
    ],
  })
}

/** Causes that another look can’t clear up. */
const unlookable = new Set<string>(['not-readable', 'not-listed'])

/** Says when somebody looked again, if they did. In mrkdwn. */
export function lookedNotes(seconds: number | undefined): readonly string[] {
  return seconds === undefined ? [] : [`Looked again at ${time(seconds)}`]
}

/** The receipt for everybody in the channel. @param view.about - The alert that access is granted for, if any. */
export function renderShared(
  access: Access,
  results: readonly Result[],
  view: ReceiptView & {
    readonly askerName: string
    readonly about?: Reason | undefined
    /** Id of the request, if readers may change what it gave, each with their own token. */
    readonly undoId?: string | undefined
  },
): Message {
  const { askerName, about, undoId } = view
  const by = cut(askerName, 80)
  const who = about?.askedBy ? `${cut(about.askedBy.name, 80)}, granted by ${by}` : by
  const reason = about === undefined ? '' : `, for ${cut(about.name, 200)}`
  const note = escapeText(`requested by ${who}${reason}`)
  const buttons = undoId === undefined ? [] : edits(undoId, access, publicly(results), view)

  return describe({ ...described(access, results, view), notes: [note], buttons })
}

export const lateNote =
  'Here’s the result of what you asked for earlier. I couldn’t reach you at the time.'

/** Slack’s menu holds no more. */
const mostChanges = 5

/**
 * Menu of what can be done next about each person. People who got the access can be changed; if there is only one
 * person, also removed. People who were on the container before, and lack some of the access, can be given what they
 * lack. If there is only one person, and their new access ends by itself, the menu of its end is shown instead.
 */
function edits(
  id: string,
  access: Access,
  results: readonly Result[],
  { roles, endsAt }: ReceiptView,
): readonly (Button | Overflow)[] {
  if (access.kind !== 'add-user' && access.kind !== 'change') return []

  const isOne = results.length === 1
  if (isOne && endsAt !== undefined && results.some(isGranted)) return [endMenu(`${id}.1`)]

  const role = roleOf(access.permissions, roles)
  const options = results.flatMap((one, index) => {
    const { has } = one
    const option = (what: string, alone: string, one: string) => ({
      text: plain(cut(isOne ? alone : one, limits.buttonText)),
      value: `${what} ${index} ${id}`,
    })

    if (isGranted(one)) return [option('change', 'Change…', `Change ${nameOf(one)}…`)]
    if (has === undefined || has === 'not-seen' || has.inherit || !isLacking(access, has)) return []

    const missing = lacking(access, has)
    const more =
      role === undefined ? `Add ${accessName(missing, {})}` : `Change to ${roleTitle(role)}`

    return [
      option('add', missing.length === 0 ? 'Make them a member' : more, `Change ${nameOf(one)}`),
    ]
  })

  const removal = { text: plain('Remove…'), value: `remove 0 ${id}` }
  const all = isOne && results.some(isGranted) ? [...options, removal] : options

  return menu(grantActions.person, all.slice(0, mostChanges))
}

/** Sentences that say why a press or a typed line does nothing. Raw. */
export const inVain = {
  notRead: 'I couldn’t read the list of people in monitoring just now. Try again in a moment.',
  hasAll: (whom: string, where: string) =>
    `${whom} already has all of that on ${where}. Nothing was sent.`,
  unseen: (whom: string, where: string, id: number) =>
    `I can’t see ${whom} on ${where}. To list who I can see there, type /grant who ${id}.`,
  twice: (whom: string, where: string, id: number) =>
    `${whom} is there twice on ${where}. Type /grant who ${id} and choose one of the two.`,
  inherited: (whom: string, where: string) =>
    `${whom} has access to ${where} from a parent container. Go to that container in monitoring.`,
  known: 'Everybody is in monitoring’s list by now, so nobody is left to invite.',
  hidden:
    'A colleague can’t approve that: monitoring hides their address from you, so I can’t tell who they are.',
  noAccount: 'Connect your account with /alert connect first, then try again.',
  notStored:
    'I no longer have this grant, so nothing more was sent. Check the container in monitoring before you grant it again.',
  expired: 'This was cancelled or has expired. Nothing was sent. Type /grant again.',
  handedOver: 'You already asked for approval of this. The request shows its current state.',
} as const
