// Doctor's findings: as plain text, for a terminal and for a ticket, without secrets and without the operator's hosts and
// files; and in Slack, in a short answer and in modals with all that a reader may see. Pure.
import type { Button, KnownBlock } from '@slack/types'
import { oneLine, redact } from '../log/line.ts'
import { fullest, type Message, type View } from '../slack/outbound/message.ts'
import { limits } from '../slack/text/limits.ts'
import { cut, date, escapeText, mrkdwn, plain, utc } from '../slack/text/mrkdwn.ts'
import { type Finding, headline, needsAttention, type State, worstFirst } from './checks/check.ts'

/** Action ids of the buttons in here, for the listeners. */
export const doctorActions = {
  test: 'doctor.way-back',
  details: 'doctor.details',
  ticket: 'doctor.ticket',
} as const

export interface Examined {
  /** As whoever asked gets to see them. */
  readonly findings: readonly Finding[]
  /** Unix time in seconds. */
  readonly asOf: number
  /** Whether a button has arrived; `tookMs` from the press, where Slack says when that was. */
  readonly button: 'untested' | { readonly tookMs: number | undefined }
  /** Hosts and files that are left out. */
  readonly places: readonly string[]
}

const signs: Readonly<Record<State, string>> = { red: '🔴', amber: '🟡', untested: '⚪', green: '🟢' }

/** As much of what was found as is shown. */
interface Extent {
  /** Of what needs attention, each with a section of its own; there is room for 50 blocks in a message. */
  readonly sections: number
  /** Of each line. Ours are shorter; what a database or a header said may not be. */
  readonly longestLine: number
}

/** The first that Slack takes in one message is shown. */
const extents: readonly Extent[] = [
  { sections: 30, longestLine: 500 },
  { sections: 12, longestLine: 250 },
  { sections: 6, longestLine: 150 },
]

/** What needs attention, or that nothing does. The rest is behind buttons. */
export function renderExamined(examined: Examined): Message {
  const { asOf } = examined
  const { findings, button } = lines(examined)
  const bad = findings.filter(needsAttention)
  const title = headline(findings)
  return {
    text: `${title}.`,
    blocks: fullest(
      extents.map(({ sections, longestLine }) => () => [
        section(`${bad[0] === undefined ? '✅' : signs[bad[0].state]} *${title}*`),
        ...bad.slice(0, sections).map((one) => section(lineText(one, longestLine))),
        ...moreSection(bad.length - sections),
        buttonSection(button),
        { type: 'actions', elements: [detailsButton, ticketButton] },
        { type: 'context', elements: [mrkdwn(`Checked ${date(asOf)}.`)] },
      ]),
    ),
  }
}

/** Longer lines than anything of ours. */
const longestLine = 500
/** Each may need a section of its own, with the headline and what is left out. */
const mostLines = limits.viewBlocks - 2

/** Every line, worst first. */
export function detailsModal(examined: Examined): View {
  const { findings } = lines(examined)
  const shown = findings.slice(0, mostLines).map((one) => lineText(one, longestLine))
  const more = findings.length - shown.length
  return modal(detailsTitle, [
    section(`*${headline(findings)}*\nChecked ${date(examined.asOf)}.`),
    ...grouped(shown).map(section),
    ...(more > 0 ? [section(`There are ${more} more. To see all, run \`npm run doctor\`.`)] : []),
  ])
}

/** The same as text: rich text has no documented limit, so each part is as long as a section may be. */
export function ticketModal(examined: Examined): View {
  const title = `Bellhop doctor, ${utc(examined.asOf)}`
  const parts = inParts(renderNarrowReport(title, lines(examined).findings), limits.sectionText)
  return modal(ticketTitle, [
    section('Copy this into your ticket. It has no tokens, email addresses, host names or file names in it.'),
    {
      type: 'rich_text',
      elements: parts.map((text) => ({ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] })),
    },
  ])
}

const detailsTitle = 'What Bellhop checked'
const ticketTitle = 'Text for a ticket'

/** Shown in place of either, while Bellhop looks. */
export function checksRunningModal(what: 'details' | 'ticket'): View {
  return modal(what === 'details' ? detailsTitle : ticketTitle, [section('Checking…')])
}

function modal(title: string, blocks: KnownBlock[]): View {
  return { type: 'modal', title: plain(title), close: plain('Close'), blocks }
}

function section(text: string): KnownBlock {
  return { type: 'section', text: mrkdwn(text) }
}

/** With the line of the buttons, worst first, and without secrets and places. */
function lines({ findings, places, button }: Examined) {
  const tried = buttonFinding(button)
  const shown = findings.map((one) => withoutPlaces(one, places))
  return { findings: worstFirst([...shown, tried]), button: tried }
}

function withoutPlaces(finding: Finding, places: readonly string[]): Finding {
  const { name, state, found, mend } = finding
  const safe = { name, state, found: withoutSecretsOrPlaces(found, places) }
  return mend === undefined ? safe : { ...safe, mend: withoutSecretsOrPlaces(mend, places) }
}

function buttonFinding(button: Examined['button']): Finding {
  const name = 'Buttons and forms'
  if (button === 'untested') return { name, state: 'untested', found: 'not tested yet.' }
  const { tookMs } = button
  if (tookMs === undefined) return { name, state: 'green', found: 'Your press reached Bellhop.' }
  const seconds = (Math.max(0, tookMs) / 1000).toFixed(1)
  return { name, state: 'green', found: `Your press reached Bellhop in ${seconds} s, by Slack’s clock.` }
}

/** In sight either way: somebody who tests it wants to see what came of it. */
function buttonSection(finding: Finding): KnownBlock {
  const text = mrkdwn(lineText(finding, longestLine))
  return { type: 'section', text, ...(finding.state === 'untested' ? { accessory: testButton } : {}) }
}

const testButton: Button = { type: 'button', action_id: doctorActions.test, text: plain('Test a button') }
const detailsButton: Button = { type: 'button', action_id: doctorActions.details, text: plain('Details') }
const ticketButton: Button = {
  type: 'button',
  action_id: doctorActions.ticket,
  text: plain('Text for a ticket'),
}

/** A finding in mrkdwn: in one line where there is nothing to do about it. @param longest - Of each of its parts. */
function lineText({ name, state, found, mend }: Finding, longest: number): string {
  const shortened = (text: string) => escapeText(cut(text, longest))
  const head = `${signs[state]} *${shortened(name)}*`
  const said = needsAttention({ state }) ? `${head}\n${shortened(found)}` : `${head}: ${shortened(found)}`
  return mend === undefined ? said : `${said}\n→ ${shortened(mend)}`
}

function moreSection(more: number): readonly KnownBlock[] {
  if (more <= 0) return []
  return [section(`${more} more need attention. Press *Details* to see them.`)]
}

/** As few texts as hold them all, each no longer than a section. */
function grouped(texts: readonly string[]): readonly string[] {
  const groups: string[] = []
  for (const text of texts) {
    const last = groups.at(-1)
    if (last === undefined || last.length + text.length >= limits.sectionText) groups.push(text)
    else groups[groups.length - 1] = `${last}\n${text}`
  }
  return groups
}

/** Whole lines where they fit. */
function inParts(text: string, longest: number): readonly string[] {
  const parts: string[] = []
  for (const line of text.split('\n').flatMap((one) => slices(one, longest))) {
    const last = parts.at(-1)
    if (last === undefined || last.length + line.length >= longest) parts.push(line)
    else parts[parts.length - 1] = `${last}\n${line}`
  }
  return parts
}

function slices(line: string, longest: number): readonly string[] {
  if (line.length <= longest) return [line]
  const whole = [...line.toWellFormed()]
  const half = Math.ceil(whole.length / 2)
  return [whole.slice(0, half), whole.slice(half)].flatMap((part) => slices(part.join(''), longest))
}

/**
 * Whoever asked: an admin reads all of it, everybody else what they can act on, and one line for the rest where they
 * notice it.
 */
export interface Reader {
  /** They choose settings here, so they can pass on, or mend, what only an operator can. */
  readonly isAdmin: boolean
  /** Of their request, in the log as well. */
  readonly reference: string
}

/** What an operator has to mend and others notice. */
export function feltByAll(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(
    (one) => one.by === 'operator' && needsAttention(one) && (one.isFelt ?? one.state === 'red'),
  )
}

export function shownTo(findings: readonly Finding[], reader: Reader): readonly Finding[] {
  if (reader.isAdmin) return findings
  const own = findings.filter(({ by, state }) => by === undefined || state === 'green')
  const felt = feltByAll(findings)
  return felt.length === 0 ? own : [forOperator(felt, reader.reference), ...own]
}

/** One line for all of them: what to do is nothing that others could do. */
function forOperator(felt: readonly Finding[], reference: string): Finding {
  const names = [...new Set(felt.map(({ name }) => name))].join(', ')
  return {
    name: `Bellhop needs attention from whoever runs it (reference ${reference})`,
    state: felt.some(({ state }) => state === 'red') ? 'red' : 'amber',
    found: `Affected: ${names}.`,
  }
}

const words: Readonly<Record<State, string>> = {
  red: 'RED',
  amber: 'AMBER',
  untested: 'GREY',
  green: 'GREEN',
}
const stateWidth = words.green.length

/** One line each, and what to do below, in columns. */
export function renderReport(title: string, findings: readonly Finding[]): string {
  const width = Math.max(0, ...findings.map(({ name }) => name.length))
  const indent = ' '.repeat(stateWidth + width + 4)
  const lines = findings.map(({ name, state, found, mend }) => {
    const line = oneLine(`${words[state].padEnd(stateWidth)}  ${name.padEnd(width)}  ${found}`)
    return mend === undefined ? line : `${line}\n${indent}Fix: ${oneLine(mend)}`
  })
  return [title, '', ...lines].join('\n')
}

/** The same for a phone, where columns would break: nothing is padded. */
function renderNarrowReport(title: string, findings: readonly Finding[]): string {
  const lines = findings.map(({ name, state, found, mend }) => {
    const line = oneLine(`${words[state]} ${name}: ${found}`)
    return mend === undefined ? line : `${line}\n  Fix: ${oneLine(mend)}`
  })
  return [title, ...lines].join('\n')
}

// Not from within a longer word: a long one without an @ is read once.
const mailAddress = /(?<![^\s@<>()"',;:])[^\s@<>()"',;:]+@[^\s@<>()"',;:]+\.[^\s@<>()"',;:.]+/g

/**
 * Without tokens and addresses of people.
 * @param places - Hosts and files of the operator, left out as well.
 */
export function withoutSecretsOrPlaces(text: string, places: readonly string[]): string {
  const shown = redact(text).replaceAll(mailAddress, '[address]')
  // Longer ones first: one may be part of another.
  const longestFirst = places.toSorted((a, b) => b.length - a.length)
  return longestFirst.reduce((rest, place) => rest.replaceAll(wholeName(place), '[place]'), shown)
}

/** Not inside of a longer name. */
function wholeName(place: string): RegExp {
  const literally = place.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(`(?<![\\w.-])${literally}(?![\\w-])`, 'g')
}

interface Addresses {
  readonly monitorApiUrl: string | undefined
  readonly publicUrl?: string | undefined
  readonly databaseUrl: string | undefined
}

/**
 * The operator's hosts and files, as they may stand in a sentence. Single words are not among them: they tell nobody
 * anything, and stand elsewhere.
 */
export function placesOf({ monitorApiUrl, publicUrl, databaseUrl }: Addresses): readonly string[] {
  const addresses = [monitorApiUrl, publicUrl, databaseUrl].map((address) => URL.parse(address ?? ''))
  const hosts = addresses.flatMap((address) =>
    address === null ? [] : [address.host, address.hostname, decoded(address.hostname), ...queried(address)],
  )
  const path = databaseUrl === undefined ? '' : fileIn(databaseUrl)
  return [...hosts, path].filter((place) => /[./:]/.test(place))
}

/** PostgreSQL's host may be a folder, written with %, or stand in the query. */
function queried({ searchParams }: URL): readonly string[] {
  const host = searchParams.get('host')
  const port = searchParams.get('port')
  return host === null ? [] : [host, `${host}:${port ?? '5432'}`]
}

function decoded(hostname: string): string {
  try {
    return decodeURIComponent(hostname)
  } catch {
    return hostname
  }
}

/** As sentences name it: decoded where it is an address, as it stands where it is a path. */
function fileIn(databaseUrl: string): string {
  if (!databaseUrl.startsWith('file://')) return databaseUrl.startsWith('file:') ? databaseUrl.slice(5) : ''
  try {
    return decodeURIComponent(new URL(databaseUrl).pathname)
  } catch {
    // Then it cannot be opened, and no sentence names it.
    return ''
  }
}
