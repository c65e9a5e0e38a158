// The world of a simulated soak: alerts that live on, a service that tells them, a Slack that keeps its limits in each
// workspace, and the counting of it all.

import { Limits } from '../../playground/slack/workspace/limits.ts'
import type { Action, Alert } from '../../src/monitor/schema.ts'
import { SlackBusyError } from '../../src/slack/client/refusals.ts'
import type { Message, Posted } from '../../src/slack/outbound/message.ts'
import type { SimulatedTime } from './simulated-time.ts'

const minuteMs = 60_000

export interface Lively {
  /** Minutes from one hit of an alert to the next, about. */
  readonly hitMinutes: number
  /** Minutes from one action to the next, about. */
  readonly actionMinutes: number
}

/** Alerts that live on, a service that tells them, a Slack that keeps its limits. */
export function openSimulatedWorld(
  count: number,
  time: SimulatedTime,
  random: () => number,
  { hitMinutes, actionMinutes }: Lively,
) {
  const alerts = Array.from({ length: count }, (_, index) => startAlert(index, time.now()))
  const byKey = new Map(alerts.map((alert) => [alert.ks, alert]))
  const told = new Map<string, number>()
  const toldAfterMs: number[] = []
  const workspaces = new Map<string, ReturnType<typeof openWorkspace>>()
  let isCounting = false
  let [looks, reads, updates, replies, refused] = [0, 0, 0, 0, 0]
  const gaps = countGaps()

  function liveOn(alert: ReturnType<typeof startAlert>): void {
    const passedMs = time.now() - alert.livedTo
    alert.livedTo = time.now()
    if (random() < passedMs / (hitMinutes * minuteMs)) alert.hits += 1
    if (random() >= passedMs / (actionMinutes * minuteMs)) return
    const seconds = Math.floor(time.now() / 1000)
    alert.happenedAt.push(time.now())
    alert.actions.push({
      kind: 'Comment',
      timestamp: seconds,
      data: { message: `${alert.ks}/${alert.actions.length}` },
    })
  }

  function openWorkspace() {
    const limits = new Limits(time.now, true)
    async function within(method: string, channelId: string): Promise<void> {
      await time.sleep(40)
      const askedSeconds = limits.take(method, channelId)
      await time.sleep(40)
      if (askedSeconds === undefined) return
      refused += isCounting ? 1 : 0
      throw new SlackBusyError(askedSeconds, method)
    }
    return {
      async updateOnce({ channelId }: Posted) {
        await within('chat.update', channelId)
        updates += isCounting ? 1 : 0
      },
      async reply({ channelId }: Posted, message: Message) {
        await within('chat.postMessage', channelId)
        replies += isCounting ? 1 : 0
        for (const [words, ks = '', index] of JSON.stringify(message.blocks).matchAll(/(k\d+)\/(\d+)/g)) {
          const times = (told.get(words) ?? 0) + 1
          told.set(words, times)
          const happenedAt = byKey.get(ks)?.happenedAt[Number(index)]
          if (isCounting && happenedAt !== undefined && times === 1) toldAfterMs.push(time.now() - happenedAt)
        }
      },
      seek: async () => 'missing' as const,
      post: () => Promise.reject(new Error('somebody was written to directly')),
      postOnce: () => Promise.reject(new Error('somebody was told that an alert got worse')),
    }
  }

  return {
    alerts,
    lookedAt(ks: string): void {
      const alert = byKey.get(ks)
      if (alert === undefined || !isCounting) return
      looks += 1
      gaps.add(alert, time.now())
    },
    async readAlert(_token: string, ks: string): Promise<Alert> {
      const alert = byKey.get(ks)
      if (alert === undefined) throw new Error(`no alert ${ks}`)
      reads += isCounting ? 1 : 0
      await time.sleep(20 + 60 * random())
      liveOn(alert)
      return toldAlert(alert)
    },
    outbound: {
      in(workspaceId: string) {
        const known = workspaces.get(workspaceId)
        if (known !== undefined) return known
        const opened = openWorkspace()
        workspaces.set(workspaceId, opened)
        return opened
      },
    },
    startCounting() {
      isCounting = true
    },
    looks: () => looks,
    counted() {
      // What was found in the last minute may be on its way.
      const until = Math.floor(time.now() / 1000) - 60
      const happened = alerts.flatMap(({ ks, actions }) =>
        actions.flatMap(({ timestamp }, index) => (timestamp < until ? [`${ks}/${index}`] : [])),
      )
      return {
        looks,
        reads,
        updates,
        replies,
        refused,
        toldAfterSeconds: partOf(toldAfterMs, 0.99) / 1000,
        ...gaps.figures(alerts),
        actions: {
          happened: happened.length,
          toldOnce: happened.filter((words) => told.get(words) === 1).length,
        },
      }
    },
  }
}

function startAlert(index: number, now: number) {
  const actions: Action[] = []
  const looks: Looks = { count: 0, first: 0, last: 0 }
  const happenedAt: number[] = []
  return {
    ks: `k${index}`,
    hits: 1,
    actions,
    happenedAt,
    looks,
    openedAt: Math.floor(now / 1000),
    livedTo: now,
  }
}

function partOf(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0
}

/** When a card was looked at: what is needed for its mean, and no more, as this must not count as memory of the bot. */
interface Looks {
  count: number
  first: number
  last: number
}

function toldAlert({ ks, hits, actions, openedAt }: ReturnType<typeof startAlert>): Alert {
  const message = `Disk of ${ks} is filling up`
  return {
    ks,
    message,
    severity: 3,
    timestamp: openedAt,
    lastMessage: hits === 1 ? message : `${message}: hit ${hits}`,
    lastSeverity: 3,
    lastTimestamp: openedAt + hits - 1,
    ownerId: null,
    closedTimestamp: null,
    actions: [...actions],
  }
}

/** Times between two looks at one card, in tenths of a second. */
function countGaps() {
  const tenths = new Uint32Array(36_000)
  let all = 0

  function at(part: number): number {
    let before = 0
    for (const [tenth, count] of tenths.entries()) {
      before += count
      if (before > 0 && before >= all * part) return tenth / 10
    }
    return 0
  }

  return {
    add({ looks }: { readonly looks: Looks }, now: number): void {
      if (looks.count === 0) looks.first = now
      else {
        const tenth = Math.min(Math.round((now - looks.last) / 100), tenths.length - 1)
        tenths[tenth] = (tenths[tenth] ?? 0) + 1
        all += 1
      }
      looks.count += 1
      looks.last = now
    },
    figures(alerts: readonly { readonly looks: Looks }[]) {
      const means = alerts.map(({ looks: { count, first, last } }) => (last - first) / (count - 1) / 1000)
      const mean = means.reduce((sum, one) => sum + one, 0) / means.length
      return {
        interval: { mean, p1: at(0.01), p99: at(0.99), longest: at(1) },
        meanOfCard: { shortest: Math.min(...means), longest: Math.max(...means) },
      }
    },
  }
}
