// What a simulated soak runs against: alerts that live on, a service that tells them, a Slack that takes what it is given, and
// the counting of it all.
import type { Action, Alert } from '../../src/monitor/schema.ts'
import type { SimulatedTime } from './simulated-time.ts'

const minuteMs = 60_000

/** Alerts that live on, a service that tells them, a Slack that takes what it is given. */
export function openSimulatedWorld(count: number, time: SimulatedTime, random: () => number) {
  const alerts = Array.from({ length: count }, (_, index) => startAlert(index, time.now()))
  const byKey = new Map(alerts.map((alert) => [alert.ks, alert]))
  const told = new Map<string, number>()
  let isCounting = false
  let [looks, reads, updates, replies] = [0, 0, 0, 0]
  const gaps = countGaps()

  /** Each alert is hit about every ten minutes, and something is done about it about every twenty. */
  function liveOn(alert: ReturnType<typeof startAlert>): void {
    const passedMs = time.now() - alert.livedTo
    alert.livedTo = time.now()
    if (random() < passedMs / (10 * minuteMs)) alert.hits += 1
    if (random() >= passedMs / (20 * minuteMs)) return
    const seconds = Math.floor(time.now() / 1000)
    alert.actions.push({
      kind: 'Comment',
      timestamp: seconds,
      data: { message: `${alert.ks}/${alert.actions.length}` },
    })
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
    async updateOnce() {
      updates += isCounting ? 1 : 0
      await time.sleep(80)
    },
    async reply(_parent: unknown, message: { readonly text: string; readonly blocks: readonly unknown[] }) {
      replies += isCounting ? 1 : 0
      for (const [words] of JSON.stringify(message.blocks).matchAll(/k\d+\/\d+/g)) {
        told.set(words, (told.get(words) ?? 0) + 1)
      }
      await time.sleep(80)
    },
    seek: async () => 'missing' as const,
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
  return { ks: `k${index}`, hits: 1, actions, looks, openedAt: Math.floor(now / 1000), livedTo: now }
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
