// Receipts: what the bot says became of a wish, to the asker, to the channel, and late. Pure.
// One person has a sentence; several have a line each, and below what there is to explain, once.
import type { ActionsBlockElement, KnownBlock } from '@slack/types'
import { endingCodes, lapsed, type NotGrantedCode, type SendOutcome } from '../../send/outcome.ts'
import type { KeptWish } from '../../send/wishes.ts'
import { doubtWords, signOf, waitingSign, writeWords } from '../../send/words.ts'
import { fullest, type Message } from '../../slack/outbound/message.ts'
import { cut, escapeText, literal, mrkdwn, plain } from '../../slack/text/mrkdwn.ts'
import type { Roles } from '../roles.ts'
import { hasCode, offersRest, type Result, resultsOf, type Wish, waitingOf, wishOf } from '../wish.ts'
import { askApprovalButton } from './approval.ts'
import { showAllButtons } from './flags.ts'
import { accessWords, linesBlock, wishBlock, wishWords } from './wish.ts'

/** Action ids of the buttons, for the listeners. */
export const shareAction = 'grant.share'
export const restAction = 'grant.rest'

const { headings, refusals } = writeWords['add-user']

/** Who reads it: the asker themselves, or everybody in the channel. */
type Reader = { readonly is: 'asker' } | { readonly is: 'channel'; readonly askerName: string }

interface Reading {
  readonly roles: Roles
  readonly reader: Reader
  /** Whoever was not sent for want of a token goes on by itself once there is one. */
  readonly waits: boolean
  /** Raw, one sentence: what the asker granted before, which explains a 400 better than the two readings. */
  readonly remembered?: string | undefined
}

type Certain = Exclude<SendOutcome, { kind: 'not-sent' }>

/** The result of a wish for one person; undefined for one of several, and where nothing was sent. */
function onlyOne(
  results: readonly Result[],
): { readonly email: string; readonly outcome: Certain } | undefined {
  const [only] = results
  if (results.length !== 1 || only === undefined || only.outcome.kind === 'not-sent') return undefined
  return { email: only.email, outcome: only.outcome }
}

/**
 * Both readings of a 400, which the service does not tell apart.
 * @param who - “dave@example.com is”, “they are”.
 * @param refused - The addresses it was answered for.
 */
function badRequestWords(
  opening: string,
  who: string,
  { containerId, authProvider }: Wish,
  refused: readonly string[],
  remembered: string | undefined,
): string {
  if (remembered !== undefined) return `${opening} does not say why. Nothing was changed.\n${remembered}`
  const other =
    authProvider === undefined
      ? 'or an address that exists more than once (then choose Sign-in provider, or add “via” and its name).'
      : `or not one who signs in with ${authProvider}.`
  return [
    `${opening} does not say why. Nothing was changed. Either:`,
    `• ${who} already on container ${containerId}; their flags are changed in monitoring; or`,
    `• it was not accepted as given: no such user, ${other}`,
    ...capitalsWords(refused),
  ].join('\n')
}

/** Why an address may be unknown that somebody typed with capitals; nothing where none has any. */
function capitalsWords(emails: readonly string[]): readonly string[] {
  const typed = emails.filter((email) => /[A-Z]/.test(email))
  const [only, ...more] = typed
  if (only === undefined) return []
  if (more.length > 0)
    return [`Typed with capitals: ${typed.join(', ')}. Monitoring may know them in small letters only.`]
  return [`${only} was typed with capitals. Monitoring may only know ${only.toLowerCase()}.`]
}

/** What to do where it may have been done. @param who - As for `badRequestWords`. */
function unsureWords(opening: string, who: string, { containerId }: Wish, reader: Reader): string {
  const asks = reader.is === 'asker' ? 'you ask' : 'anybody asks'
  return `${opening}, so it may have been done. Check in monitoring whether ${who} on container ${containerId} before ${asks} again. Bellhop does not send it a second time.`
}

/** Why nobody is granted: what it is that was refused, whoever it was asked for. */
function whyNobody(code: NotGrantedCode, { containerId }: Wish, reader: Reader): string {
  const whose = reader.is === 'asker' ? 'Your' : `${cut(reader.askerName, 80)}’s`
  const said = refusals[code].sentence(whose, containerId)
  const isOwnToken = code === 'refused' && reader.is === 'asker'
  return isOwnToken ? `${said} Use /alert connect, then ask again.` : said
}

/** What happened to one person besides the heading, and what to do. Raw text; nothing for a grant that was made. */
function explainOne(
  wish: Wish,
  email: string,
  outcome: Certain,
  { reader, remembered }: Pick<Reading, 'reader' | 'remembered'>,
): string {
  if (outcome.kind === 'granted') return ''
  if (outcome.kind === 'not-granted') {
    if (outcome.code !== 'bad-request') return whyNobody(outcome.code, wish, reader)
    return badRequestWords('The service refused it (400) and', `${email} is`, wish, [email], remembered)
  }
  const sent = outcome.doubt === lapsed.doubt ? 'It may have been sent' : 'It was sent'
  return unsureWords(`${sent}, but ${doubtWords[outcome.doubt].sentence}`, `${email} is`, wish, reader)
}

/** What is to be said once of several people, whomever it concerns. Raw. */
function explainAll(
  wish: Wish,
  results: readonly Result[],
  { reader, waits, remembered }: Reading,
): readonly string[] {
  const refused = results.filter((one) => hasCode([one], 'bad-request')).map(({ email }) => email)
  // About the asker or the container.
  const codes = endingCodes.filter((code) => hasCode(results, code) && !(waits && code === 'refused'))
  return [
    ...(refused.length > 0
      ? [
          badRequestWords(
            'Where the service refused an address (400), it',
            'they are',
            wish,
            refused,
            remembered,
          ),
        ]
      : []),
    ...(hasCode(results, 'busy')
      ? ['Where the service asked to slow down (429), it did nothing. Try again in a minute.']
      : []),
    ...(hasCode(results, 'unreachable')
      ? ['Where the service could not be reached, nothing was sent. Try again in a minute.']
      : []),
    ...uncertainty(wish, results, reader),
    ...codes.map((code) => whyNobody(code, wish, reader)),
    ...(waits || !results.some(({ outcome }) => outcome.kind === 'not-sent') ? [] : [whyNotSent(results)]),
  ]
}

function uncertainty(wish: Wish, results: readonly Result[], reader: Reader): readonly string[] {
  const why = results.flatMap(({ outcome }) => (outcome.kind === 'uncertain' ? [outcome.doubt] : []))
  if (why.length === 0) return []
  const sent = why.includes(lapsed.doubt) ? 'it may have been sent' : 'it was sent'
  const reasons = [...new Set(why)].map((doubt) => doubtWords[doubt].sentence).join(', or ')
  return [unsureWords(`Where it is not certain, ${sent}, but ${reasons}`, 'they are', wish, reader)]
}

function whyNotSent(results: readonly Result[]): string {
  return endingCodes.some((code) => hasCode(results, code))
    ? 'The rest was not sent: it would have been refused as well.'
    : 'Bellhop was stopped before it came to the rest; nothing was sent for them.'
}

function ofKind(results: readonly Result[], kind: SendOutcome['kind']): readonly Result[] {
  return results.filter(({ outcome }) => outcome.kind === kind)
}

function countHeading(results: readonly Result[]): string {
  return `${ofKind(results, 'granted').length} of ${results.length} granted`
}

/** @param waiting - Who waits for a token. */
function lineOf({ email, outcome }: Result, waiting: readonly string[]): string {
  if (waiting.includes(email)) return `${waitingSign} ${email}: waits for your account`
  const said = `${signOf(outcome)} ${email}`
  switch (outcome.kind) {
    case 'granted':
      return said
    case 'not-granted':
      return `${said}: ${refusals[outcome.code].line}`
    case 'uncertain':
      return `${said}: not certain, check in monitoring`
    case 'not-sent':
      return `${said}: not sent`
    default:
      return outcome satisfies never
  }
}

function section(said: string): KnownBlock {
  return { type: 'section', text: mrkdwn(escapeText(said)) }
}

function resultBlocks(wish: Wish, results: readonly Result[], reading: Reading): KnownBlock[] {
  const only = onlyOne(results)
  if (only !== undefined) {
    const { email, outcome } = only
    const why = explainOne(wish, email, outcome, reading)
    const heading = `${signOf(outcome)} ${headings[outcome.kind]}`
    return [wishBlock(wish, heading, reading.roles), ...(why === '' ? [] : [section(why)])]
  }
  const waiting = reading.waits ? waitingOf(results) : []
  const lines = results.map((result) => lineOf(result, waiting))
  return [
    linesBlock(countHeading(results), wish, lines, reading.roles),
    ...explainAll(wish, results, reading).map(section),
  ]
}

const longestText = 3900

/** Complete by itself: notifications and screen readers know nothing else. Raw. */
function words(wish: Wish, results: readonly Result[], reading: Reading): string {
  const only = onlyOne(results)
  if (only !== undefined) {
    const { email, outcome } = only
    const head = outcome.kind === 'uncertain' ? 'Not certain whether granted' : headings[outcome.kind]
    const why = explainOne(wish, email, outcome, reading).replaceAll('\n', ' ')
    return `${head}: ${wishWords(wish, reading.roles)}. ${why}`.trim()
  }
  const kinds = ['granted', 'not-granted', 'uncertain', 'not-sent'] as const
  const named = kinds.flatMap((kind) => {
    const those = ofKind(results, kind)
    return those.length === 0 ? [] : [`${headings[kind]}: ${those.map(({ email }) => email).join(', ')}.`]
  })
  const head = `${countHeading(results)} on container ${wish.containerId} with ${accessWords(wish, reading.roles)}.`
  const why = explainAll(wish, results, reading).map((text) => text.replaceAll('\n', ' '))
  return [head, ...named, ...why].join(' ')
}

function textOf(wish: Wish, results: readonly Result[], reading: Reading, intro = ''): string {
  return escapeText(cut(`${intro}${words(wish, results, reading)}`, longestText))
}

/** What happened to one person besides the heading, for everybody, raw; nothing for a grant that was made. */
export function whatBecame(wish: Wish, { email, outcome }: Result, senderName: string): string {
  if (outcome.kind === 'not-sent') return ''
  return explainOne(wish, email, outcome, { reader: { is: 'channel', askerName: senderName } })
}

export interface ReceiptNotes {
  readonly roles: Roles
  readonly canShare: boolean
  /** False once *Try the rest again* was pressed. */
  readonly isRestOpen: boolean
  /** The command line that would have done the same. */
  readonly line?: string | undefined
  readonly note?: string | undefined
  /** Whoever was not sent for want of a token goes on by itself once there is one. */
  readonly waits?: boolean
  /**
   * One sentence, raw, in place of the readings of a 400: “You gave dave@example.com READ on 12 yesterday, …”. For the
   * asker alone.
   */
  readonly remembered?: string | undefined
}

/** The receipt, for the asker alone. @param id - Of the wish, for the buttons. */
export function renderReceipt(
  id: string,
  wish: Wish,
  results: readonly Result[],
  { roles, canShare, isRestOpen, line, note, waits = false, remembered }: ReceiptNotes,
): Message {
  const reading: Reading = { reader: { is: 'asker' }, waits, roles, remembered }
  const context = (said: string): KnownBlock => ({ type: 'context', elements: [literal(said)] })
  const withLine = (lines: readonly KnownBlock[]) => [
    ...resultBlocks(wish, results, reading),
    ...(note === undefined ? [] : [context(note)]),
    ...(line === undefined ? [] : lines),
    ...buttonsBlock([
      ...offers(id, results, isRestOpen),
      ...(canShare ? [shareButton(id)] : []),
      ...showAllButtons(wish.permissions),
    ]),
  ]
  return {
    text: textOf(wish, results, reading),
    blocks: fullest([
      () => withLine(lineBlocks('The same from the command line:', line ?? '')),
      () => withLine([context('The same from the command line is too long to show here.')]),
    ]),
  }
}

/** The receipt for everybody in the channel. @param askerName - Raw. @param about - What it is granted for. */
export function renderShared(
  askerName: string,
  wish: Wish,
  results: readonly Result[],
  roles: Roles,
  about?: { readonly name: string },
): Message {
  const reading: Reading = { reader: { is: 'channel', askerName }, waits: false, roles }
  return {
    text: textOf(wish, results, reading),
    blocks: [...resultBlocks(wish, results, reading), requestedBy(askerName, about)],
  }
}

/** Raw. */
function requestedBy(askerName: string, about: { readonly name: string } | undefined): KnownBlock {
  const reason = about === undefined ? '' : `, for ${cut(about.name, 200)}`
  return { type: 'context', elements: [literal(`requested by ${cut(askerName, 80)}${reason}`)] }
}

const lateIntro = 'About a grant you asked for earlier, whose outcome could not be told at once.'

/** Below an outcome that takes the place of a doubt. */
export const doubtedNote = 'If I told you earlier that I wasn’t certain, this replaces it.'

/** The same, when the asker may have been told before that it is not certain. */
const correctedIntro = `About a grant you asked for earlier. ${doubtedNote}`

/** Told when the outcome could not be told at once, after a restart for instance. */
export function renderLate(kept: Pick<KeptWish, 'id' | 'sends' | 'about'>, roles: Roles): Message {
  const wish = wishOf(kept)
  const results = resultsOf(kept) ?? []
  const reading: Reading = { reader: { is: 'asker' }, waits: false, roles }
  const intro = results.some(({ wasDoubted }) => wasDoubted) ? correctedIntro : lateIntro
  const reason = kept.about === undefined ? [] : [literal(`It was for ${cut(kept.about.name, 200)}.`)]
  return {
    text: textOf(wish, results, reading, `${intro} `),
    blocks: [
      { type: 'context', elements: [literal(intro), ...reason] },
      ...resultBlocks(wish, results, reading),
      ...buttonsBlock(offers(kept.id, results, true)),
    ],
  }
}

/** What can be done about those who are left. */
function offers(id: string, results: readonly Result[], isRestOpen: boolean): readonly ActionsBlockElement[] {
  if (hasCode(results, 'forbidden')) return [askApprovalButton(id)]
  return isRestOpen && offersRest(results) ? [restButton(id)] : []
}

function restButton(id: string): ActionsBlockElement {
  return { type: 'button', action_id: restAction, text: plain('Try the rest again'), value: id }
}

function shareButton(id: string): ActionsBlockElement {
  return { type: 'button', action_id: shareAction, text: plain('Share in channel'), value: id }
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
