// Every action of a watched alert stands in its card's thread, and few stand twice: Slack did not confirm them, or a bot
// was killed before it had kept that they were told.
import { z } from 'zod'
import { type Book, type Open, wasKilledAfter } from './book.ts'
import type { Watched } from './ledger.ts'

const rowSchema = z.object({ doc: z.string() })
const liveSchema = z.object({ posted: z.object({ ts: z.string() }) })
/** Of all actions, at most this part stands twice. */
const mostTwice = 0.2

export async function checkWatches(open: Open): Promise<Book> {
  const { world, ledger } = open
  const live = new Set(
    z
      .array(rowSchema)
      .parse(await world.query("select doc from docs where kind = 'live-card'"))
      .map(({ doc }) => liveSchema.parse(JSON.parse(doc)).posted.ts),
  )
  const threads = threadsOf(open)
  const wrong: string[] = []
  let [actions, again, left] = [0, 0, 0]

  for (const { ks, ts, isStopped } of ledger.watched.values()) {
    const alert = world.alerts.get(ks)
    const told = threads.get(ts) ?? new Map<string, number>()
    const hasEnded = !live.has(ts)
    if (hasEnded && alert?.isClosed !== true && !isStopped && !endedBySomebody(open, ks)) {
      wrong.push(`The watch of ${ks} has ended, and nobody ended it.`)
    }
    for (let number = 0; number < (alert?.actions ?? 0); number += 1) {
      const count = told.get(`${ks}/${number}`) ?? 0
      actions += 1
      if (count === 1) continue
      if (count > 1) again += 1
      else if (hasEnded && (isStopped || endedBySomebody(open, ks))) left += 1
      else if (number === 0 && wasCutShort(open, ks)) left += 1
      else
        wrong.push(
          `${ks}/${number} does not stand in its thread${hasEnded ? ', whose watch has ended' : ''}.`,
        )
    }
  }
  if (again > actions * mostTwice) wrong.push(`${again} of ${actions} actions stand twice in their threads.`)
  return {
    counted: {
      'cards in channels': ledger.cards.size,
      'cards that were live': ledger.watched.size,
      'cards live at the end': live.size,
      'actions of live cards': actions,
      'actions that stand twice': again,
      'actions after a watch was ended, or of a bot killed before the thread began': left,
    },
    wrong,
  }
}

/** How often each action stands in each thread, by the card's `ts`. */
function threadsOf({ world }: Open): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const told = new Map<string, Map<string, number>>()
  for (const { byBot, isDeleted, threadTs, ephemeralFor, blocks } of world.slack.workspace.messages) {
    if (!byBot || isDeleted || threadTs === undefined || ephemeralFor !== undefined) continue
    const counts = told.get(threadTs) ?? new Map<string, number>()
    for (const action of JSON.stringify(blocks).match(/soak-\d+k\/\d+/g) ?? [])
      counts.set(action, (counts.get(action) ?? 0) + 1)
    told.set(threadTs, counts)
  }
  return told
}

/** Whose account goes, goes with their watches. */
function endedBySomebody({ ledger }: Open, ks: Watched['ks']): boolean {
  const asker = ledger.asked.find(({ tag }) => tag === ks)?.person.id ?? ''
  return (
    ledger.accounts.has(asker) || (ledger.watchersOf.get(ks) ?? []).some((one) => ledger.accounts.has(one))
  )
}

function wasCutShort({ world, ledger }: Open, ks: string): boolean {
  const asked = ledger.asked.find(({ tag }) => tag === ks)
  return asked !== undefined && wasKilledAfter(world.bots.lives, asked.at, 20_000)
}
