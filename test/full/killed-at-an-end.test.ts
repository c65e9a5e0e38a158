// kill -9 at every step of access for a time, while it is given and while it ends: it is never left there, and another bot
// says so only once it is gone.
import { expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { didBefore, hasNoted, type Played, playEachStep } from './faults/each-step.ts'
import { type EndBooks, endOfAccess, timedGrant } from './faults/end-stories.ts'
import { createAgingDatabase } from './faults/postgres-later.ts'

const postgres = await startPostgres()

const hasTold = ({ books: { ended, theirs } }: Played<EndBooks>) =>
  ended.length > 0 && theirs.length > 0

/** Nothing is left, nothing untrue was said, and twice only what Slack had taken and the bot could not write down. */
function expectTrue(played: readonly Played<EndBooks>[]): void {
  expect(played.filter(({ books }) => books.isThere || books.untrue.length > 0)).toEqual([])
  const twice = played.filter(({ books }) => books.ended.length > 1 || books.theirs.length > 1)
  const tells = /^left: POST .*chat.postMessage/
  expect(twice.filter((one) => !didBefore(one, tells) || hasNoted(one, tells))).toEqual([])
  expect(twice.filter(({ books }) => books.ended.length + books.theirs.length > 3)).toEqual([])
}

it('at any step of a grant for a time: who got it has it no more after that time, and people are told both', async () => {
  const played = await playEachStep(timedGrant, {
    ending: 'SIGKILL',
    database: () => createAgingDatabase(postgres),
  })

  expectTrue(played)
  for (const one of played) {
    const { writes, granted } = one.books
    const isSent = didBefore(one, /^left: POST \/container/)
    expect(writes).toEqual(isSent ? ['POST', 'DELETE'] : [])
    // What may have been given ends as well.
    const isGiven = granted.some((plain) => /✅ Granted|Not certain/.test(plain))
    const isTold = isSent ? hasTold(one) : one.books.unsure.length > 0
    expect([isGiven || !isSent, isTold]).toEqual([true, isGiven])
  }
  expect(played.filter(({ isAcked, books }) => isAcked && books.granted.length === 0)).toEqual([])
  expect(played.at(-1)?.books.recorded).toEqual(['grant done', 'take-back done'])
  expect(played.length).toBeGreaterThan(12)
}, 300_000)

it('at any step of its end: it is taken back once, and both are told', async () => {
  const played = await playEachStep(endOfAccess, { ending: 'SIGKILL' })

  expectTrue(played)
  for (const one of played) {
    expect([one.books.writes, hasTold(one)]).toEqual([['POST', 'DELETE'], true])
    // Killed just as it left, nobody knows who did it.
    const isKnown = /^take-back (done|not-done:already)$/.test(one.books.recorded.at(-1) ?? '')
    expect([isKnown, one.books.recorded.length < 4]).toEqual([true, true])
  }
  expect(played.at(-1)?.books.recorded).toEqual(['grant done', 'take-back done'])
  expect(played.length).toBeGreaterThan(12)
}, 300_000)
