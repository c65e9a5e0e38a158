// The audit channel: grants and approvals as one-line messages, a line for each step, as well as it goes. The trail itself
// is in the database.
import type { Log } from '../log/log.ts'
import type { Clock } from '../slack/ids.ts'
import type { Message } from '../slack/outbound/message.ts'
import { createPace } from '../slack/outbound/pace.ts'
import { nameInLine } from '../slack/workspace/names.ts'
import { createWork } from '../work/under-way.ts'
import { hasLine, renderLine, type SlackNames, stepOf } from './render-line.ts'
import type { Entry } from './trail.ts'

/** Several people are several entries, one after the other: a line waits so long for more of its step. */
const gatherMs = 3_000
/** Lines that Slack takes eight minutes for. */
const mostWaiting = 500
const loggedEveryMs = 60 * 60_000
const nameKeptMs = 60 * 60_000
const mostNames = 1_000

export interface AuditChannel {
  /**
   * Posts an entry's line when its turn comes, and returns at once. Until then, entries of the same step are told in it
   * as well. A line that cannot be posted is given up.
   */
  tell(entry: Entry): void
  /** Posts what is gathered. Resolves when nothing waits. */
  idle(): Promise<void>
}

export interface AuditChannelParts {
  /** Undefined where there is no audit channel. */
  readonly channelId: string | undefined
  readonly post: (channelId: string, message: Message) => Promise<unknown>
  /** Somebody's name in Slack, raw; undefined when Slack does not say. */
  readonly nameOf: (userId: string) => Promise<string | undefined>
  readonly log: Log
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
}

export function createAuditChannel(parts: AuditChannelParts): AuditChannel {
  const { channelId, log, now, wait } = parts
  const pace = createPace(() => performance.now(), wait)
  const names = new Map<string, { readonly name: string; readonly until: number }>()
  const work = createWork()
  /** By step: whom its line tells of so far. */
  const gathering = new Map<string, string[]>()
  let leaving = Promise.withResolvers<void>()
  /** Lines that wait for their turn. */
  let lines = 0
  /** When it was logged last that a line could not be posted; undefined when the last one was. */
  let problemAt: number | undefined

  async function nameOf(userId: string | undefined): Promise<string> {
    if (userId === undefined) return 'Somebody'
    const known = names.get(userId)
    if (known !== undefined && known.until > now()) return known.name
    const name = await parts.nameOf(userId)
    if (name === undefined || nameInLine(name) === '') return userId
    if (names.size >= mostNames) names.clear()
    names.set(userId, { name, until: now() + nameKeptMs })
    return name
  }

  async function namesIn({ userId, askerId, approverId }: Entry): Promise<SlackNames> {
    const [who, asker, approver] = await Promise.all([userId, askerId, approverId].map(nameOf))
    return { who: who ?? '', asker: asker ?? '', approver: approver ?? '' }
  }

  /** @param emails - Grows until its turn comes. */
  async function post(entry: Entry, emails: readonly string[]): Promise<void> {
    let isLine = false
    const left = leaving.promise
    try {
      if (channelId === undefined) return
      if (lines >= mostWaiting) throw new TooManyLines()
      lines += 1
      isLine = true
      const names = await namesIn(entry)
      await Promise.race([wait(gatherMs), left])
      await pace.inTurn(channelId, () => {
        forget(entry, emails)
        return parts.post(channelId, renderLine(entry, names, emails))
      })
      if (problemAt !== undefined) log.info('the audit channel gets its lines again')
      problemAt = undefined
    } catch (error) {
      noteProblem(error)
    } finally {
      if (isLine) lines -= 1
      forget(entry, emails)
    }
  }

  function forget(entry: Entry, emails: readonly string[]): void {
    if (gathering.get(stepOf(entry)) === emails) gathering.delete(stepOf(entry))
  }

  /** False when there is no line yet for it: of its step, or it tells of the same person already. */
  function join({ email, ...entry }: Entry): boolean {
    const emails = gathering.get(stepOf(entry))
    if (emails === undefined || email === undefined || emails.includes(email)) return false
    emails.push(email)
    return true
  }

  /** Once in a while: a channel that is gone stays gone for every line. */
  function noteProblem(error: unknown): void {
    if (problemAt !== undefined && now() - problemAt < loggedEveryMs) return
    problemAt = now()
    log.warn({ err: error }, 'a line could not be posted to the audit channel')
  }

  return {
    tell(entry) {
      if (!hasLine(entry) || join(entry)) return
      const emails = entry.email === undefined ? [] : [entry.email]
      gathering.set(stepOf(entry), emails)
      void work.track(post(entry, emails))
    },
    async idle() {
      leaving.resolve()
      leaving = Promise.withResolvers()
      await work.done()
    },
  }
}

class TooManyLines extends Error {
  override readonly name = 'TooManyLines'
}
