// The audit channel: grants and approvals as one-line messages, a line for each step, as well as it goes. The trail itself
// is in the database.
import type { Log } from '../log/log.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { Pace } from '../slack/outbound/pace.ts'
import { nameInLine } from '../slack/workspace/names.ts'
import { createWork } from '../work/under-way.ts'
import { hasLine, renderLine, stepOf } from './render-line.ts'
import type { Entry } from './trail.ts'

/** Several people are several entries, one after the other: a line waits so long for more of its step. */
const gatherMs = 3_000

export interface AuditChannelParts {
  /** Undefined where there is no audit channel. */
  readonly channelId: string | undefined
  readonly post: (channelId: string, message: Message) => Promise<unknown>
  readonly pace: Pace
  /** Somebody's name in Slack, raw; undefined when Slack does not say. */
  readonly nameOf: (userId: string) => Promise<string | undefined>
  readonly log: Log
  readonly wait: (ms: number) => Promise<void>
}

export function createAuditChannel(parts: AuditChannelParts) {
  const { channelId, post, pace, log, wait } = parts
  const work = createWork()
  /** By step: whom its line tells of so far. */
  const gathering = new Map<string, string[]>()
  const leaving = Promise.withResolvers<void>()
  /** A channel that is gone stays gone for every line. */
  let isFailing = false

  async function nameOf(userId: string | undefined): Promise<string> {
    if (userId === undefined) return 'Somebody'
    const name = await parts.nameOf(userId)
    return name === undefined || nameInLine(name) === '' ? userId : name
  }

  /** @param emails - Grows until its turn comes. */
  async function tellOf(entry: Entry, to: string, emails: readonly string[]): Promise<void> {
    const { userId, askerId, approverId } = entry
    try {
      const [who, asker, approver] = await Promise.all([nameOf(userId), nameOf(askerId), nameOf(approverId)])
      await Promise.race([wait(gatherMs), leaving.promise])
      await pace.inTurn(to, () => {
        gathering.delete(stepOf(entry))
        return post(to, renderLine(entry, { who, asker, approver }, emails))
      })
      if (isFailing) log.info('the audit channel gets its lines again')
      isFailing = false
    } catch (error) {
      gathering.delete(stepOf(entry))
      if (!isFailing) log.warn({ err: error }, 'a line could not be posted to the audit channel')
      isFailing = true
    }
  }

  return {
    /**
     * Posts an entry's line when its turn comes, and returns at once. Until then, entries of the same step are told in it
     * as well. A line that cannot be posted is given up.
     */
    tell(entry: Entry): void {
      if (channelId === undefined || !hasLine(entry)) return
      const step = stepOf(entry)
      const email = entry.email === undefined ? [] : [entry.email]
      const emails = gathering.get(step)
      if (emails !== undefined) return void emails.push(...email)
      gathering.set(step, email)
      void work.track(tellOf(entry, channelId, email))
    },
    /** Posts what is gathered, at a stop. Resolves when nothing waits. */
    async idle(): Promise<void> {
      leaving.resolve()
      await work.done()
    },
  }
}
