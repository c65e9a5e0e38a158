// Reads of watched alerts. The bot makes them by itself, all the time; of those that lead to nothing nobody needs to hear.
import type { RecordedRequest } from '../../monitor/requests.ts'
import type { Step } from '../../page/state/state.ts'
import { type Json, record, records, text } from '../../slack/model/json.ts'
import type { Message, StartedCall } from '../../slack/model/model.ts'
import { unescaped } from '../../slack/text/plain.ts'
import type { Workspace } from '../../slack/workspace/workspace.ts'
import * as words from '../playing/words.ts'
import type { Ongoing } from './happening-ongoing.ts'

/** The newest read of a watched alert. */
export interface WatchRead {
  readonly ks: string
  readonly request: RecordedRequest
  /** Reads of this alert before it that led to nothing. */
  readonly before: number
  /** What it led to; undefined while that is nothing. */
  shown: Ongoing | undefined
}

export class WatchReads {
  readonly #workspace: Workspace
  /** By key. */
  readonly #newest = new Map<string, WatchRead>()

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /**
   * Keeps it when it is one, and makes nothing of it.
   * @param asker - What the owner of its token did last.
   */
  take(request: RecordedRequest, asker: Ongoing | undefined): boolean {
    const ks = keyOf(request)
    if (ks === undefined || !isWatched(ks, this.#workspace)) return false
    if (asker && awaits(asker, request, ks)) return false
    const last = this.#newest.get(ks)
    const before = last === undefined || last.shown ? 0 : last.before + 1
    this.#newest.set(ks, { ks, request, before, shown: undefined })
    return true
  }

  /** The read that made the bot change a card, or write into its thread. */
  behind({ args }: StartedCall): WatchRead | undefined {
    const ts = text(args.thread_ts) ?? text(args.ts)
    const card = this.#workspace.messages.findLast((one) => one.ts === ts && one.channelId === args.channel)
    return card && [...this.#newest.values()].find(({ ks }) => isLiveCard(card, ks))
  }
}

/** A watched alert that was not read for so long could not be: what comes now has another cause. */
const UNREAD_MS = 10_000

/** All that this read led to is told already, in what was done since. */
export function isDoneWith({ request }: WatchRead, { lastAt }: Ongoing, now: number): boolean {
  return request.at <= lastAt && now - lastAt < UNREAD_MS
}

/** How that is told which comes now, and whether the read led to it. */
export function headingOf({ ks, before, request }: WatchRead, now: number) {
  const what = words.watched(ks)
  const unreadMs = now - request.at - (request.tookMs ?? 0)
  if (request.tookMs !== undefined && unreadMs >= UNREAD_MS)
    return { about: { what, note: words.notReadFor(unreadMs) }, isCause: false }
  return { about: { what, note: words.readsBefore(before), at: request.at }, isCause: true }
}

/** Some card of it is live. */
export function isWatched(ks: string, { messages }: Workspace): boolean {
  return messages.some((message) => isLiveCard(message, ks))
}

/** A card names its key, and a live one can be stopped, by its button or from its menu. */
function isLiveCard({ byBot, isDeleted, blocks }: Message, ks: string): boolean {
  if (!byBot || isDeleted) return false
  const written = unescaped(JSON.stringify(blocks))
  if (!/"action_id":"watch\.stop"|"value":"stop /.test(written)) return false
  // Its key stands there in code, which more follows; one that code cannot hold stands alone.
  const inCode = JSON.stringify(`\`${ks}\``).slice(0, -1)
  return [inCode, JSON.stringify(ks)].some((key) => written.includes(`"text":${key}`))
}

const alertPath = /^\/alert\/([^/]+)$/

function keyOf({ method, path }: RecordedRequest): string | undefined {
  const [, encoded] = alertPath.exec(path) ?? []
  return method === 'GET' && encoded !== undefined ? decoded(encoded) : undefined
}

/**
 * Whether what somebody did is still to read this alert. It reads one once, and once more after a failure, until
 * it says what came of it.
 */
function awaits(did: Ongoing, request: RecordedRequest, ks: string): boolean {
  const { steps } = did.shown
  const asked = steps.findLastIndex(({ to, title }) => to === 'service' && title.startsWith('GET /alert/'))
  const read = steps[asked]
  if (read === undefined) return !did.isOver && steps.some((step) => canRead(step, ks))
  if (!read.isRefused || read.title !== `GET ${request.path}`) return false
  return !steps.slice(asked).some(({ to }) => to === 'slack')
}

/** A line that names it, or a control; but not one that only ends something, or is about grants. */
function canRead({ from, title, details }: Step, ks: string): boolean {
  if (from !== 'slack') return false
  if (!/^\/|^event/.test(title)) return !/^view_closed|grant|stop/.test(title)
  const [sent] = details
  const line = textOf(record(sent?.json))
  return [line, decoded(line)].some((one) => one.includes(ks))
}

/** What was typed behind a command or written to the bot, without Slack's escapes; or the links that were shared. */
function textOf(payload: Json): string {
  const { text: written, links } = record(payload.event)
  const urls = records(links).map(({ url }) => text(url))
  const typed = [text(payload.text), text(written), ...urls].filter(Boolean).join(' ')
  return typed.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
