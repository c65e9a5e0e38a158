// Receipts: what the bot says became of a wish, to the asker, to the channel, and late, with the buttons that go on from it.
// One person has a headline; several have a line each, and below what there is to explain, once. Pure.
import type { ActionsBlockElement, KnownBlock } from '@slack/types'
import type { SendOutcome } from '../../send/outcome.ts'
import type { Request } from '../../send/request.ts'
import { signOf, writeWords } from '../../send/words.ts'
import { fullest, type Message } from '../../slack/outbound/message.ts'
import { cut, escapeText, literal, mrkdwn, plain, time } from '../../slack/text/mrkdwn.ts'
import type { GrantSettings, Roles } from '../roles.ts'
import {
  hasCode,
  isGranted,
  leftToEdit,
  offersRest,
  type Result,
  resultsOf,
  type Wish,
  wishOf,
} from '../wish.ts'
import { askApprovalButton } from './confirm.ts'
import {
  capitalised,
  containerOf,
  explainAll,
  explainOne,
  explainWhole,
  linesOf,
  outcomeLine,
  type ReasonByEmail,
  type ReceiptReader,
  type ReceiptView,
  reasonFor,
  type SeenByEmail,
} from './explain.ts'
import { canLookAgain, type GlimpseByEmail, glimpseBlocks, glimpsesOf, glimpseWords } from './look.ts'
import { accessWords, linesBlock, sentenceBlock, wishBlock, wishWords } from './wish.ts'

const { headings } = writeWords['add-user']

/** The result of a wish for one person; undefined for one of several. */
function onlyOne(results: readonly Result[]): Result | undefined {
  return results.length === 1 ? results[0] : undefined
}

/** The headline of what was certainly not made says why; who it was for stands below. */
function isAboutWhy({ kind }: SendOutcome): boolean {
  return kind === 'not-done' || kind === 'not-sent'
}

function ofKind(results: readonly Result[], kind: SendOutcome['kind']): readonly Result[] {
  return results.filter(({ outcome }) => outcome.kind === kind)
}

function countHeading(results: readonly Result[]): string {
  return `${results.filter(isGranted).length} of ${results.length} granted`
}

function section(said: string): KnownBlock {
  return { type: 'section', text: mrkdwn(escapeText(said)) }
}

function resultBlocks(wish: Wish, results: readonly Result[], view: ReceiptView): KnownBlock[] {
  const { roles, reader } = view
  const only = onlyOne(results)
  if (only !== undefined) {
    const { email, outcome } = only
    const why = explainOne(wish, email, outcome, view)
    const heading = `${signOf(outcome)} ${outcomeLine(wish, email, outcome, view)}`
    const block = isAboutWhy(outcome)
      ? wishBlock(wish, heading, roles, containerOf(wish, view))
      : sentenceBlock(heading, accessSentence(wish, roles))
    return [
      block,
      ...(why === '' ? [] : [section(why)]),
      ...glimpseBlocks(containerOf(wish), glimpsesFor(reader), true),
    ]
  }
  return [
    linesBlock(countHeading(results), wish, linesOf(results, view), roles, containerOf(wish, view)),
    ...explainAll(wish, results, view).map(section),
    ...glimpseBlocks(containerOf(wish), glimpsesFor(reader), false),
  ]
}

const none: GlimpseByEmail = new Map()

function glimpsesFor(reader: ReceiptReader): GlimpseByEmail {
  return reader.is === 'asker' ? (reader.glimpses ?? none) : none
}

/** On a line of its own. */
function accessSentence(wish: Wish, roles: Roles): string {
  return capitalised(accessWords(wish, roles))
}

const longestText = 3900

/** Complete by itself: notifications and screen readers know nothing else. Raw. */
function words(wish: Wish, results: readonly Result[], view: ReceiptView): string {
  const { roles, reader } = view
  const only = onlyOne(results)
  if (only !== undefined) {
    const { email, outcome } = only
    const head = outcomeLine(wish, email, outcome, view)
    const what = isAboutWhy(outcome)
      ? `The request was for ${wishWords(wish, roles)}`
      : accessSentence(wish, roles)
    const why = explainOne(wish, email, outcome, view).replaceAll('\n', ' ')
    return [`${head}. ${what}.`, why, glimpseWords(containerOf(wish), glimpsesFor(reader), true)]
      .filter(Boolean)
      .join(' ')
  }
  const kinds = ['done', 'not-done', 'uncertain', 'not-sent'] as const
  const named = ({ email }: Result) => {
    const reason = reasonFor(email, reader)
    return reason === undefined ? email : `${email} (monitoring says: ${reason})`
  }
  const lists = kinds.flatMap((kind) => {
    const those = ofKind(results, kind)
    return those.length === 0 ? [] : [`${headings[kind]}: ${those.map(named).join(', ')}.`]
  })
  const head = `${countHeading(results)} on ${containerOf(wish, view)} with ${accessWords(wish, roles)}.`
  const why = explainAll(wish, results, view).map((text) => text.replaceAll('\n', ' '))
  const seen = glimpseWords(containerOf(wish), glimpsesFor(reader), false)
  return [head, ...lists, ...why, ...(seen === '' ? [] : [seen])].join(' ')
}

function textOf(wish: Wish, results: readonly Result[], view: ReceiptView, intro = ''): string {
  return escapeText(cut(`${intro}${words(wish, results, view)}`, longestText))
}

/**
 * What happened to one person besides the heading, for everybody, raw; nothing for a grant that was made.
 * @param how.container - “Customer 1 (12)”, where everybody may know the name. Raw.
 */
export function whatBecame(
  wish: Wish,
  { email, outcome }: Result,
  { senderName, container }: { readonly senderName: string; readonly container: string | undefined },
): string {
  return explainWhole(wish, email, outcome, {
    reader: { is: 'channel', askerName: senderName },
    ...{ roles: {}, container },
  })
}

export interface ReceiptNotes {
  readonly roles: Roles
  readonly canShare: boolean
  /** *Look again* may show what became of those who are not certain. */
  readonly canLook?: boolean
  /** False once a button was pressed that sends. */
  readonly isRestOpen: boolean
  /** The command line that would have done the same. */
  readonly line?: string | undefined
  readonly note?: string | undefined
  /** When the asker had it looked at once more, in Unix seconds. */
  readonly lookedAt?: number | undefined
  /** Whoever was not sent for want of a token goes on by itself once there is one. */
  readonly waits?: boolean
  /** By address, raw: why the service refused it, in its own words. For the asker alone, whose token it was. */
  readonly reasons?: ReasonByEmail | undefined
  /** By address: what the asker’s token has shown of those whom the service refused with a 400. For them alone. */
  readonly seen?: SeenByEmail | undefined
  /** What the asker's token has shown of those who are not certain. For them alone as well. */
  readonly glimpses?: GlimpseByEmail | undefined
  /** “Customer 1 (12)”, where the asker’s token has shown the name. Raw. */
  readonly container?: string | undefined
}

/** The receipt, for the asker alone. @param id - Of the wish, for the buttons. */
export function renderReceipt(
  id: string,
  wish: Wish,
  results: readonly Result[],
  notes: ReceiptNotes,
): Message {
  const { roles, canShare, canLook = false, isRestOpen, line, note, waits = false, container } = notes
  const { reasons, seen, glimpses = none, lookedAt } = notes
  const reader: ReceiptReader = { is: 'asker', reasons, seen, glimpses }
  const view: ReceiptView = { reader, waits, roles, container }
  const context = (said: string): KnownBlock => ({ type: 'context', elements: [literal(said)] })
  const withLine = (lines: readonly KnownBlock[]) => [
    ...resultBlocks(wish, results, view),
    ...(note === undefined ? [] : [context(note)]),
    ...(lookedAt === undefined ? [] : [lookedBlock(lookedAt)]),
    ...(line === undefined ? [] : lines),
    ...buttonsBlock([
      ...offers({
        id,
        results,
        isRestOpen,
        waits,
        canShare,
        canLook,
      }),
    ]),
  ]
  return {
    text: textOf(wish, results, view),
    blocks: fullest([
      () => withLine(lineBlocks('The same from the command line:', line ?? '')),
      () => withLine([context('The command line for this grant is too long to show here.')]),
    ]),
  }
}

/** Says when somebody had it looked at once more. */
export function lookedBlock(seconds: number): KnownBlock {
  return { type: 'context', elements: [mrkdwn(`Looked again at ${time(seconds)}`)] }
}

/**
 * The receipt for everybody in the channel.
 * @param askerName - Raw.
 * @param about - What it is granted for.
 * @param container - “Customer 1 (12)”, where the asker’s token has shown the name. Raw.
 */
export function renderShared(
  askerName: string,
  wish: Wish,
  results: readonly Result[],
  roles: Roles,
  about?: { readonly name: string },
  container?: string,
): Message {
  const view: ReceiptView = { reader: { is: 'channel', askerName }, waits: false, roles, container }
  return {
    text: textOf(wish, results, view),
    blocks: [...resultBlocks(wish, results, view), requestedBy(askerName, about)],
  }
}

/** Raw. */
function requestedBy(askerName: string, about: { readonly name: string } | undefined): KnownBlock {
  const reason = about === undefined ? '' : `, for ${cut(about.name, 200)}`
  return { type: 'context', elements: [literal(`requested by ${cut(askerName, 80)}${reason}`)] }
}

const lateIntro = 'Here’s the result of a grant you asked for earlier. I couldn’t reach you at the time.'

/** Below an outcome that takes the place of a doubt. */
export const doubtedNote = 'If I told you earlier that I wasn’t certain, this replaces it.'

/** Where somebody wanted to look again. */
export const notReadNote =
  'I couldn’t read the list of people in monitoring just now, so nothing here is new.'

/** Told when the outcome could not be told at once, after a restart for instance. */
export function renderLate(kept: Pick<Request, 'id' | 'sends' | 'about'>, { roles }: GrantSettings): Message {
  const wish = wishOf(kept)
  const results = resultsOf(kept) ?? []
  const glimpses = glimpsesOf(kept)
  const view: ReceiptView = { reader: { is: 'asker', glimpses }, waits: false, roles }
  const reason = kept.about === undefined ? [] : [literal(`It was for ${cut(kept.about.name, 200)}.`)]
  const open = { isRestOpen: true, waits: false, canShare: false, canLook: canLookAgain(kept) }
  return {
    text: textOf(wish, results, view, `${lateIntro} `),
    blocks: [
      { type: 'context', elements: [literal(lateIntro), ...reason] },
      ...resultBlocks(wish, results, view),
      ...buttonsBlock([...offers({ id: kept.id, results, ...open })]),
    ],
  }
}

/** Rich text, so that the line is copied exactly as it stands. */
export function lineBlocks(intro: string, line: string): KnownBlock[] {
  return [
    { type: 'context', elements: [literal(intro)] },
    {
      type: 'rich_text',
      elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: line }] }],
    },
  ]
}

function buttonsBlock(elements: readonly ActionsBlockElement[]): KnownBlock[] {
  return elements.length === 0 ? [] : [{ type: 'actions', elements: [...elements] }]
}

/** Action ids of the buttons, for the listeners. */
export const shareAction = 'grant.share'
export const restAction = 'grant.rest'
export const editAction = 'grant.edit'
export const lookAction = 'grant.look'

/** A receipt's people, and what its reader has done with it. */
interface Offering {
  /** Of the wish. */
  readonly id: string
  readonly results: readonly Result[]
  /** False once a button was pressed that sends. */
  readonly isRestOpen: boolean
  /** Whoever was not sent for want of a token goes on by itself once there is one. */
  readonly waits: boolean
  readonly canShare: boolean
  /** A look may show what became of those who are not certain. */
  readonly canLook: boolean
}

/** Which of them do something is looked up once more when they are pressed. */
function offers(offering: Offering): readonly ActionsBlockElement[] {
  const { id, results, isRestOpen, waits, canShare, canLook } = offering
  const isOne = results.length === 1
  const isEditable = leftToEdit(results, waits).length > 0 && (isRestOpen || !isOne)
  return [
    ...(canLook ? [button(lookAction, 'Look again', id)] : []),
    ...(hasCode(results, 'forbidden') ? [askApprovalButton(id)] : []),
    ...(isRestOpen && offersRest(results)
      ? [button(restAction, isOne ? 'Try again' : 'Try the rest again', id)]
      : []),
    ...(isEditable ? [button(editAction, 'Edit and try again', id)] : []),
    ...(canShare && results.some(isGranted) ? [button(shareAction, 'Share in channel', id)] : []),
  ]
}

function button(action: string, label: string, id: string): ActionsBlockElement {
  return { type: 'button', action_id: action, text: plain(label), value: id }
}

/** Said where a button of a receipt does nothing, or nothing more. Raw. */
export const inVain = {
  /** To whoever presses *Look again* where nothing can be looked at. */
  cannotLook: 'Bellhop can’t look that up here any more. Check the container in monitoring.',
  noAccount: 'Connect your account with /alert connect first, then press Look again.',
  /** To whoever presses a button of what is not stored any more, sent or not. */
  notStored:
    'I no longer have this grant, so nothing more was sent. Check the container in monitoring before you grant it again.',
  /** Where they did that, or confirmed it anew. */
  cancelled: 'This was cancelled. Nothing was sent for it.',
} as const
