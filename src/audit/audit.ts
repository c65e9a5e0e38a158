// Records what happens: adds records to the audit trail (a chain, see chain.ts), posts them in the audit channel, and
// deletes old ones.

import { randomUUID } from 'node:crypto'
import type { House } from '../house.ts'
import { createTrouble, type HandledRequest, outsideRequest, requestNow } from '../log/log.ts'
import { withoutSecrets } from '../slack/text/typed.ts'
import { dayMs, hourMs } from '../work/durations.ts'
import { every, type Repeated, unlessStopped } from '../work/retry.ts'
import { createWork } from '../work/under-way.ts'
import { type Chain, createChain, startAfter, wordsOf } from './chain.ts'
import { hasLine, renderLine } from './render-line.ts'
import type { AuditRecords, Entry, Link } from './trail.ts'

export type Audit = ReturnType<typeof createAudit>

type AuditParts = Pick<House, 'config' | 'storage' | 'slack' | 'pace' | 'log' | 'now' | 'wait'>

/** Puts the trail’s parts together: records, their chain, and the channel in which each record is told as well. */
export function createAudit({ config, storage, ...parts }: AuditParts) {
  const trail = {
    ...parts,
    records: storage.auditRecords,
    chain: createChain(config.encryptionKeys),
  }
  const channel = createAuditChannel(parts, config.audit.channelId)
  const recorder = createRecorder(trail, channel.tell)
  const record = (entry: Entry): Promise<void> => recorder.record(masked(entry))
  const upkeep = cutOld(trail, config.audit.days, record)
  return {
    /** Writes a record of an entry; resolves as `createRecorder` says. Then the entry’s line goes to the audit channel. */
    record,
    /** Writes a record of a look-up: of an alert, or of a container’s open alerts or people. The caller doesn’t wait. */
    lookedUp(lookUp: Omit<Entry, 'key' | 'act'>): void {
      // Keys begin with the time: what is written together then lies together in the index.
      const key = `look-up:${parts.now()}-${randomUUID()}`
      void record({ ...lookUp, act: 'look-up', key })
    },
    waiting: recorder.waiting,
    start: upkeep.start,
    /** Must be called when nothing is recorded any more. Resolves when all is written and posted. */
    async stop(): Promise<void> {
      await upkeep.stop()
      await recorder.stop()
      await channel.idle()
    },
  }
}

/**
 * The entry with its alert key cut short, if nobody was shown an alert for the key: such a key may be somebody’s token,
 * typed in the wrong place. The beginning and the length stay, so that readers of the trail see if somebody tries keys.
 */
function masked(entry: Entry): Entry {
  const { ks, outcome, before, after } = entry
  if (ks === undefined || outcome === 'done' || before !== undefined || after !== undefined)
    return entry
  const shown = withoutSecrets(ks)
  return shown === ks ? entry : { ...entry, ks: `${shown} (${[...ks].length} characters)` }
}

interface Trail extends Pick<House, 'log' | 'now' | 'wait'> {
  readonly records: AuditRecords
  readonly chain: Chain
}

/**
 * Deletes old records every hour. Once a day, a record called `cut` is written, which names the newest of the old records.
 * Only records up to the one that a `cut` names are deleted.
 * @param days - How long records are kept; 0 keeps them for ever.
 */
export function cutOld(
  { records, chain, log, now }: Trail,
  days: number,
  record: Audit['record'],
): Repeated {
  async function cut(): Promise<void> {
    const last = await records.newestOlderThan(days * dayMs)
    const start = startAfter(await records.newestCut())
    if (last === undefined || last.seq <= start.seq) return
    const [found] = await records.page({ after: last.seq - 2, most: 1 })
    const judgement = chain.judge(last, found && found.seq < last.seq ? found : start)
    // A record whose key is missing can’t be verified, and so its time neither: nothing is cut today. The record is deleted
    // when a later one, whose key is there, is old enough.
    if (judgement === 'unknown-key') return
    if (judgement === 'changed') return log.error({ record: last.seq }, touched)
    const what = { workspaceId: '', act: 'cut', outcome: 'done' } as const
    await record({ ...what, key: `cut:${Math.floor(now() / dayMs)}`, reference: wordsOf(last) })
  }

  return every(hourMs, async () => {
    if (days === 0) return
    try {
      await cut()
      // Done every hour, even without a new `cut`: a process may have been killed between its `cut` and the deletion.
      await records.drop(startAfter(await records.newestCut()).seq)
    } catch (error) {
      log.failedJob(
        'warn',
        { err: error },
        'old audit records could not be deleted; trying again in an hour',
      )
    }
  })
}

const touched =
  'Somebody else changed the audit trail, so Bellhop deletes nothing of it. Run `npm run audit -- --verify`.'

const failurePauseMs = 5_000

/** The most records in one commit, so that no other write waits for long. */
const mostAtOnce = 100

interface Recording {
  readonly entry: Entry
  /** Lets the caller of `record` go on. */
  readonly release: () => void
  /** The request for which the entry is written: the request's line in the log names the record. */
  readonly request: HandledRequest | undefined
}

/** @param onRecorded - Called with each entry that was written, unless its key was in the trail already. Must not throw. */
export function createRecorder(
  { records, chain, log, wait }: Trail,
  onRecorded: (entry: Entry) => void,
) {
  const stopping = new AbortController()
  /** Entries that are not written yet, the oldest first. */
  const waiting: Recording[] = []
  let writing: Promise<void> | undefined
  let isFailing = false

  /** Writes entries that wait, many in one commit, until none waits. At a stop of the bot, a failed try is the last one. */
  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const isLastTry = stopping.signal.aborted
      const entries = waiting.slice(0, mostAtOnce).map(({ entry }) => entry)
      try {
        const links = await records.append(entries, chain.seal)
        isFailing = false
        for (const link of links) noteWritten(waiting.shift(), link)
      } catch (error) {
        const { act, reference } = entries[0] ?? {}
        const what = { err: error, act, reference, waiting: waiting.length }
        log.failedJob('error', what, 'an audit record could not be written; trying again')
        isFailing = true
        for (const { release } of waiting) release()
        if (isLastTry) break
        await unlessStopped(wait(failurePauseMs), stopping.signal)
      }
    }
    writing = undefined
  }

  function noteWritten(
    one: Recording | undefined,
    { isNew, ...link }: Link & { isNew: boolean },
  ): void {
    if (isNew) {
      one?.request?.recorded.push(link.seq)
      // Logged, so that the log can tell when the newest records are missing from the database.
      log.info({ auditHead: wordsOf(link) }, 'an audit record was written')
      if (one !== undefined) onRecorded(one.entry)
    }
    one?.release()
  }

  return {
    /**
     * Resolves once the record is in the database. Never rejects: a failure is logged, and writing is tried again until the
     * process ends. After a failure, `record` resolves without waiting, until records can be written again.
     */
    record(entry: Entry): Promise<void> {
      const { promise, resolve: release } = Promise.withResolvers<void>()
      waiting.push({ entry, release, request: requestNow() })
      writing ??= outsideRequest(writeAll)
      return isFailing ? Promise.resolve() : promise
    },
    waiting: () => waiting.length,
    /** Resolves when all entries are written, or writing them has failed once more. */
    async stop(): Promise<void> {
      stopping.abort()
      await writing
      if (waiting.length > 0)
        log.error({ lost: waiting.length }, 'audit records could not be written')
    },
  }
}

function createAuditChannel(
  { slack, pace, log, now }: Pick<House, 'slack' | 'pace' | 'log' | 'now'>,
  channelId: string | undefined,
) {
  const work = createWork()
  /** Logs only the first of the failures in a row: a channel that is gone stays gone for every line. */
  const trouble = createTrouble({ log, now })

  async function tellOf(entry: Entry, to: string): Promise<void> {
    try {
      if ((await slack.channels.outsiders(to)) !== 'none')
        throw new Error('people of another organisation may read there')
      const people = [entry.userId, entry.askerId, entry.approverId].filter(
        (id) => id !== undefined,
      )
      const named = await Promise.all(
        people.map(async (id) => [id, await slack.people.inLine(id)] as const),
      )
      await pace.inTurn(to, () => slack.post(to, renderLine(entry, new Map(named))))
      trouble.ends('the audit channel gets its lines again')
    } catch (error) {
      trouble.begins({ err: error }, 'a line could not be posted to the audit channel')
    }
  }

  return {
    /** Posts an entry's line when its turn comes, and returns at once. A line that cannot be posted is given up. */
    tell(entry: Entry): void {
      if (channelId !== undefined && hasLine(entry)) void work.track(tellOf(entry, channelId))
    },
    idle: work.done,
  }
}
