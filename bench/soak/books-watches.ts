// Every action of a watched alert stands once in its card's thread; no action stands twice in any thread.
import { z } from 'zod'
import { type Book, type Open, wasKilledAfter } from './books.ts'
import type { Watched } from './ledger.ts'

const rowSchema = z.object({ ts: z.string() })
const twice = 'This may be a duplicate'

export async function checkWatches(open: Open): Promise<Book> {
  const { world, ledger } = open
  const live = new Set(
    z
      .array(rowSchema)
      .parse(await world.query('select ts from live_cards'))
      .map(({ ts }) => ts),
  )
  const threads = threadsOf(open)
  const wrong: string[] = []
  let [actions, aside, again, left] = [0, 0, 0, 0]

  for (const { ks, ts, isStopped } of ledger.watched.values()) {
    const alert = world.alerts.get(ks)
    const told = threads.told.get(ts) ?? new Map<string, number>()
    const mayStandTwice = threads.twice.has(ts)
    const hasEnded = !live.has(ts)
    if (hasEnded && alert?.isClosed !== true && !isStopped && !endedBySomebody(open, ks)) {
      wrong.push(`The watch of ${ks} has ended, and nobody ended it.`)
    }
    for (let number = 0; number < (alert?.actions ?? 0); number += 1) {
      const count = told.get(`${ks}/${number}`) ?? 0
      actions += 1
      if (count === 1) continue
      if (count > 1 && mayStandTwice) again += 1
      else if (count > 1) wrong.push(`${ks}/${number} stands ${count} times in its thread.`)
      else if (threads.aside.has(`${ks}/${number}`)) aside += 1
      else if (hasEnded && (isStopped || endedBySomebody(open, ks))) left += 1
      else if (number === 0 && wasCutShort(open, ks)) left += 1
      else
        wrong.push(
          `${ks}/${number} does not stand in its thread${hasEnded ? ', whose watch has ended' : ''}.`,
        )
    }
  }
  for (const [ts, told] of threads.told) {
    if (threads.twice.has(ts) || ledger.watched.has(ts)) continue
    for (const [action, count] of told) {
      if (count > 1) wrong.push(`${action} stands ${count} times in a thread that nobody watched.`)
    }
  }
  return {
    counted: {
      'cards in channels': ledger.cards.size,
      'cards that were live': ledger.watched.size,
      'cards live at the end': live.size,
      'actions of live cards': actions,
      'actions told to the asker alone, as the thread was in doubt': aside,
      'actions that may stand twice, as the thread says': again,
      'actions after a watch was ended, or of a bot killed before the thread began': left,
    },
    wrong,
  }
}

/** How often each action stands in each thread, by the card's `ts`. */
function threadsOf({ world }: Open) {
  const told = new Map<string, Map<string, number>>()
  const twiceIn = new Set<string>()
  const aside = new Set<string>()
  for (const { byBot, isDeleted, threadTs, ephemeralFor, blocks } of world.slack.workspace.messages) {
    if (!byBot || isDeleted) continue
    const said = JSON.stringify(blocks)
    const actions = said.match(/soak-\d+\.\/\d+/g) ?? []
    if (threadTs === undefined || ephemeralFor !== undefined) {
      if (ephemeralFor !== undefined) for (const action of actions) aside.add(action)
      continue
    }
    if (said.includes(twice)) twiceIn.add(threadTs)
    const counts = told.get(threadTs) ?? new Map<string, number>()
    for (const action of actions) counts.set(action, (counts.get(action) ?? 0) + 1)
    told.set(threadTs, counts)
  }
  return { told, twice: twiceIn, aside }
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
