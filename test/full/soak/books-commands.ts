// Every command that was acked has its answer. Those that never reached a bot are lost, as Slack's are; so is what a
// bot had in hand when it was killed.
import { type Book, type Open, wasKilledAfter } from './book.ts'
import type { Asked } from './ledger.ts'

/** No command is under way for longer. */
const longestMs = 20_000

export function checkCommands({ world, ledger }: Open): Book {
  const acked = ledger.asked.filter(({ outcome }) => outcome === 'acked')
  const unanswered = acked.filter(({ answeredAt }) => answeredAt === undefined)
  // Which one got it may not be known.
  const killed = unanswered.filter(({ takenBy, at }) =>
    takenBy === undefined ? wasKilledAfter(world.bots.lives, at, longestMs) : takenBy.wanted === 'killed',
  )
  const rest = unanswered.filter((one) => !killed.includes(one))
  const unheard = new Map(world.bots.lives.map((life) => [life, countUnheard(life.bot.output())]))
  // Whom Slack took no word for is in the log.
  const wrong = rest.filter(({ takenBy }) => {
    const all = [...unheard].find(([life, left]) => left > 0 && (takenBy === undefined || takenBy === life))
    if (all === undefined) return true
    unheard.set(all[0], all[1] - 1)
    return false
  })
  const outcomes = (outcome: Asked['outcome']) => ledger.asked.filter((one) => one.outcome === outcome).length
  return {
    counted: {
      'commands typed': ledger.asked.length,
      'commands acked': acked.length,
      'commands answered': acked.length - unanswered.length,
      'commands lost on the way to a bot': outcomes('refused') + outcomes('unreachable'),
      'commands not acked within 3 s': outcomes('timeout'),
      'commands lost with a bot that was killed': killed.length,
      'commands whose answers Slack did not take': rest.length - wrong.length,
    },
    wrong: wrong.map(
      ({ line, person, at, takenBy }) =>
        `"${line}" of ${person.name} at ${new Date(at).toISOString()} was acked by bot ${takenBy?.place} and never answered.`,
    ),
  }
}

function countUnheard(output: string): number {
  return output.match(/nobody could be told/g)?.length ?? 0
}
