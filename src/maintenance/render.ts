// Draws messages, lines and the form of maintenance. Pure.
import type { Button, PlainTextOption } from '@slack/types'
import { z } from 'zod'
import { doubtfulWords } from '../act/render/verdict.ts'
import type { MonitorErrorCode } from '../errors.ts'
import { monitorSentences } from '../monitor/failures.ts'
import type { ModeTarget } from '../monitor/schema.ts'
import { type ModeWrite, type SendOutcome, signOf } from '../send/outcome.ts'
import { moreButton, pageOf, type Row, renderPage } from '../slack/outbound/list.ts'
import {
  button,
  describe,
  formView,
  input,
  type Line,
  type Message,
  noticeView,
  say,
  section,
  type View,
} from '../slack/outbound/message.ts'
import {
  cut,
  date,
  escapeText,
  literal,
  plain,
  richDateWithin,
  seconds,
} from '../slack/text/mrkdwn.ts'
import { durationWords, hourMs, minuteMs } from '../work/durations.ts'
import { isOverdue, type Maintenance, type ModeNews } from './maintenance.ts'
import type { Quiet } from './names.ts'

export const modeActions = {
  start: 'maintenance.start',
  end: 'maintenance.end',
  cancel: 'maintenance.cancel',
  choose: 'maintenance.choose',
  more: 'maintenance.more',
} as const
export const maintenanceView = 'maintenance.form'

const valueSchema = z.object({
  /** Id of the request that a press begins: two presses of one question are one request. */
  id: z.string().optional(),
  container: z.int(),
  asset: z.int().optional(),
  /** The end that the question showed, in milliseconds since 1970; missing in a button that ends maintenance. */
  endsAt: z.int().optional(),
  /** How long it was until then when the question was asked, in milliseconds. */
  forMs: z.int().optional(),
  cardId: z.string().optional(),
})
/** A button’s value: begins or ends maintenance. It isn’t trusted: monitoring decides whether the presser may. */
export type ModeValue = Readonly<z.output<typeof valueSchema>>

export function readModeValue(value: string): ModeValue {
  return valueSchema.parse(JSON.parse(value))
}

const endButton = ({ container, asset }: ModeTarget): Button =>
  button(
    modeActions.end,
    'End maintenance',
    JSON.stringify({ container, asset } satisfies ModeValue),
  )

/** “until today 10:00 PM (Alice Archer)”, or what else is known of the maintenance’s end. */
function untilWords(
  ours: Maintenance | undefined,
  now: number,
): readonly Exclude<Line, string>[number][] {
  if (ours === undefined) return ['; monitoring doesn’t say until when']

  const end = richDateWithin(seconds(ours.endsAt))
  // “Should have ended” isn’t said right after the end: reads may be ten minutes old.
  if (isOverdue(ours, now)) return ['; it should have ended ', end, ` (${ours.by.name})`]

  return [' until ', end, ` (${ours.by.name})`]
}

/** “🔧 db-03 is in maintenance until today 10:00 PM (Alice Archer)”. */
export function quietLine({ name, ours }: Quiet, now: number): Line {
  return [`🔧 ${name} is in maintenance`, ...untilWords(ours, now)]
}

/** News for a channel, a thread or whoever set the maintenance. @param name - Raw. */
export function renderModeNews(news: ModeNews, { by, endsAt }: Maintenance, name: string): Message {
  const end = richDateWithin(seconds(endsAt))
  const lines: Readonly<Record<ModeNews, Line>> = {
    begun: [`🔧 ${by.name} put ${name} in maintenance until `, end],
    over: `✅ ${name} is monitored again`,
    still: [`⚠️ ${name} is still in maintenance. It should have ended `, end, '.'],
    unknown: `❓ I can’t tell whether ${name} is monitored again. Look in monitoring.`,
  }
  return describe({ lines: [lines[news]] })
}

function wholeWords(machines: number | undefined): string {
  if (machines === undefined) return 'all its machines'

  return machines === 1 ? 'its 1 machine' : `its ${machines} machines`
}

const consequence = (what: string, container: string) =>
  `Monitoring tells nobody anything about ${what} until then. Channels that follow ${container} will hear of it, and I’ll check then with your account whether it’s over.`

/**
 * @param name - “db-03”, or “Customer 1 (12)”. Raw.
 * @param container - “Customer 1 (12)”. Raw.
 * @param machines - How many machines a whole container has; undefined if they can’t be listed.
 */
export function renderQuestion(
  value: ModeValue & { readonly id: string; readonly endsAt: number },
  name: string,
  container: string,
  machines: number | undefined,
): Message {
  const isWhole = value.asset === undefined
  const what = isWhole ? `${name} and ${wholeWords(machines)}` : `${name} (${container})`

  return describe({
    headline: [`Put ${what} in maintenance until `, richDateWithin(seconds(value.endsAt)), '?'],
    lines: [consequence(name, container)],
    buttons: [
      button(modeActions.start, 'Start maintenance', JSON.stringify(value), 'primary'),
      button(modeActions.cancel, 'Cancel', value.id),
    ],
  })
}

/** Says that a machine or container is disabled, or in maintenance already, with a button that ends maintenance. */
export function renderQuiet(quiet: Quiet, now: number): Message {
  if (quiet.isDisabled) return say(`${quiet.name} is disabled, which is changed in monitoring.`)

  return describe({ lines: [quietLine(quiet, now)], buttons: [endButton(quiet.target)] })
}

/** Offers the machines and containers that may be meant. @param choices - A press runs the line, which means one alone. */
export function renderChoice(
  sentence: string,
  choices: readonly { readonly label: string; readonly line: string }[],
): Message {
  const rowOf = ({ label, line }: (typeof choices)[number]): Row => ({
    text: escapeText(label),
    blocks: [section(literal(label), button(modeActions.choose, 'Choose', line))],
  })
  return renderPage(pageOf(choices, rowOf), escapeText(sentence), {})
}

interface VerdictFound {
  /** Name of the machine or container. Raw. */
  readonly name: string
  readonly isOfEarlier?: boolean
  /** The service’s own words for a refusal. Raw. */
  readonly reason?: string | undefined
  readonly askingButtons?: readonly Button[]
}

export function renderVerdict(
  write: ModeWrite,
  outcome: SendOutcome,
  { name, isOfEarlier, reason, askingButtons = [] }: VerdictFound,
): Message {
  const isBegun = outcome.kind === 'done' && write.mode === 'maintenance'

  return describe({
    lines: [
      isOfEarlier ? 'Here’s the result of something you asked for earlier.' : undefined,
      ...verdictLines(write, outcome, name),
      reason && `Monitoring says: “${cut(reason, 200)}”`,
    ],
    buttons: [...askingButtons, isBegun && endButton(write.target)],
  })
}

function verdictLines(write: ModeWrite, outcome: SendOutcome, name: string): readonly Line[] {
  const { mode, endsAt } = write
  const isBeginning = mode === 'maintenance'
  const what = isBeginning ? `maintenance of ${name}` : `the end of maintenance of ${name}`
  const sign = signOf(outcome)
  switch (outcome.kind) {
    case 'done': {
      if (!isBeginning) return [`✅ ${name} is monitored again.`]
      if (outcome.ground === 'already' || endsAt === undefined)
        return [`Nothing was sent: ${name} is in maintenance already.`]
      return [[`🔧 ${name} is in maintenance until `, richDateWithin(seconds(endsAt)), '.']]
    }
    case 'not-done':
      return notDoneLines(write, outcome.code, name).map((line, at) =>
        at === 0 ? `${sign} ${line}` : line,
      )
    case 'uncertain': {
      const [first, ...more] = doubtfulWords(what, outcome.cause)
      return [`${sign} ${first}`, ...more]
    }
    case 'not-sent':
      return [`${sign} Not sent: ${what}.`, 'I was stopped before I sent anything. Try again.']
    default:
      return outcome satisfies never
  }
}

type NotDone = Extract<SendOutcome, { readonly kind: 'not-done' }>['code']

function notDoneLines({ mode, target }: ModeWrite, code: NotDone, name: string) {
  switch (code) {
    case 'bad-request':
      return mode === 'normal' && target.asset === undefined
        ? [
            'Not done: monitoring says no.',
            `With 500 open alerts or more in ${name}, it ends no maintenance of all of it. End it for single machines.`,
          ]
        : ['Not done: monitoring says no (400).', 'Nothing was changed.']
    case 'forbidden':
      return [`Not done: ${lacksFlag(name)}`, 'Nothing was changed.']
    case 'not-found':
      return [`Not done: ${notShown(name)}`]
    case 'changed':
      return [`Not done: ${name} has changed since, or that time has passed.`, 'Type it again.']
    case 'no-operation':
    case 'is-there':
      return [
        'Not done: this monitoring service doesn’t let me do that.',
        'Do it in monitoring itself.',
      ]
    default:
      return ['Not done.', monitorSentences[code]]
  }
}

export const modeFlag = 'ASSET_MANAGEMENT'

export function lacksFlag(name: string): string {
  return `your token lacks API or ${modeFlag} on ${name}. Somebody with CONTAINER_ACCESS there can add what’s missing.`
}

export function notShown(name: string): string {
  return `monitoring knows no ${name}, or doesn’t show it to you.`
}

/** Says why the mode of a machine or container can’t be read. */
export function unreadWords(code: MonitorErrorCode, name: string): string {
  const isHidden = code === 'forbidden' || code === 'not-found'
  return isHidden ? `I can’t: ${notShown(name)}` : monitorSentences[code]
}

/** The end of maintenance, for a row. */
function lasts(ours: Maintenance | undefined, now: number): string {
  if (ours === undefined) return 'monitoring doesn’t say until when'

  const { endsAt, by } = ours
  const until = now > endsAt ? 'should have ended' : 'until'
  return `${until} ${date(seconds(endsAt))}, by ${escapeText(by.name)}`
}

/** Lists what isn’t monitored as usual, first of all maintenance without a known end, which may be forgotten. */
export function renderModes(
  container: string,
  containerId: number,
  listed: readonly Quiet[],
  now: number,
  after = 0,
): Message {
  if (listed.length === 0) return say(`Nothing is in maintenance or disabled in ${container}.`)

  const order = ({ isDisabled, ours }: Quiet) => ours?.endsAt ?? (isDisabled ? 1 : 0)
  const sorted = listed.toSorted((one, other) => order(one) - order(other))
  const rowOf = ({ name, isDisabled, ours, target }: Quiet): Row => {
    const text = `${escapeText(name)} · ${isDisabled ? 'disabled: changed in monitoring' : lasts(ours, now)}`

    return { text, blocks: [section(text, isDisabled ? undefined : endButton(target))] }
  }
  const page = pageOf(sorted, rowOf, after)
  const more = moreButton(page, modeActions.more, (next) => `${containerId} ${next}`)
  return renderPage(page, escapeText(`In maintenance in ${container}`), { buttons: [more] })
}

/** Lengths that the form offers; at first, the second is chosen. */
const lengths = [30 * minuteMs, hourMs, 2 * hourMs, 4 * hourMs, 8 * hourMs]
export const whatInput = 'what'
export const lengthInput = 'length'

/**
 * Draws the form: the machine of a card, or its whole container. Names are raw.
 * @param container - “Customer 1 (12)”.
 * @param machines - How many machines the container has; undefined if they can’t be listed.
 */
export function maintenanceModal(
  state: string,
  machine: string,
  container: string,
  machines: number | undefined,
): View {
  const option = (label: string, value: string) => ({ text: plain(cut(label, 75)), value })
  const one = option(machine, 'asset')
  const all = option(`All of ${container}: ${wholeWords(machines)}`, 'container')
  const offered = lengths.map((ms) => option(durationWords(ms), String(ms)))
  const blocks = [
    select(whatInput, 'What', [one, all], one),
    select(lengthInput, 'For how long', offered, offered[1]),
    section(literal(consequence('it', container))),
  ]
  return formView(maintenanceView, 'Maintenance', state, blocks, 'Start maintenance')
}

function select(
  id: string,
  label: string,
  options: PlainTextOption[],
  chosen: PlainTextOption | undefined,
) {
  return input(id, label, {
    type: 'static_select',
    action_id: id,
    options,
    ...(chosen && { initial_option: chosen }),
  })
}

/** A note in place of the form: monitoring hasn’t answered yet, or maintenance can’t begin. */
export function maintenanceNote(message: Message): View {
  return noticeView('Maintenance', [...message.blocks])
}
