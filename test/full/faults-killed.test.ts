// kill -9 at every step of a grant, a connect and an approval; another bot takes over and the books are looked at.
import { describe, expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { didBefore, hasNoted, type Played, playEachStep } from './faults/each-step.ts'
import { createAgingDatabase } from './faults/postgres-later.ts'
import { approval, connect, type GrantBooks, grant } from './faults/stories.ts'

const postgres = await startPostgres()
const ending = 'SIGKILL'

/** The same whatever is said before it: what became of it. */
const outcomeIn = (told: string) =>
  /✅ Granted|Not granted|not sent|❓ Not certain|❓ Approved/.exec(told)?.[0]

/** Sent at most once, and never said to be granted or not granted when it is not so. */
function areTrue({ posts, isMember, told }: GrantBooks): boolean {
  const outcomes = new Set(told.map(outcomeIn))
  if (posts > 1 || isMember !== (posts === 1) || outcomes.size > 1) return false
  return outcomes.has('Not granted') || outcomes.has('not sent')
    ? posts === 0
    : outcomes.has('✅ Granted')
      ? posts === 1
      : true
}

describe.each([
  { engine: 'SQLite', database: undefined },
  { engine: 'PostgreSQL', database: () => createAgingDatabase(postgres) },
])('a bot on $engine that is killed (kill -9)', ({ database }) => {
  it('at any step of a grant sent it once at most, and from then on whoever asked is told, and told the truth', async () => {
    const played = await playEachStep(grant, { ending, database })

    expect(played.filter(({ books }) => !areTrue(books))).toEqual([])
    expect(played.filter(({ isAcked, books }) => isAcked && books.told.length === 0)).toEqual([])
    // Twice, in the same words, where Slack had taken it and the bot could not write that down any more.
    const twice = played.filter(({ books }) => books.told.length > 1)
    expect(twice.filter((one) => !didBefore(one, /^left: POST \/commands/))).toEqual([])
    expect(
      twice.filter((one) => one.books.told.length > 2 || hasNoted(one, /^left: POST \/commands/)),
    ).toEqual([])
    // Unharmed too, it may be gone before it could write that down: then as above.
    expect(played.at(-1)?.books.told).not.toEqual([])
    expect(played.length).toBeGreaterThan(10)
  }, 300_000)
})

describe('a bot that is killed (kill -9)', () => {
  it('at any step of a connect keeps the account sealed or not at all, and the person knows what to do', async () => {
    const played = await playEachStep(connect, { ending })

    expect(played.filter(({ books }) => books.isBare)).toEqual([])
    // Whoever is connected need not connect again, and nobody else is.
    const isKept = (one: Played<unknown>) => didBefore(one, /insert into accounts/)
    expect(played.filter((one) => isKept(one) !== (one.books.next === 'shown'))).toEqual([])
    // Killed before it could answer the form, Slack says it: the form stays as it was filled in. Else it may be closed.
    const says = (one: Played<{ readonly modal: string }>) =>
      one.isAcked ? /^$|Connected\.|close this and try again/ : /trouble connecting\. Try again\?/
    expect(played.filter((one) => !says(one).test(one.books.modal))).toEqual([])
    expect(played.filter(({ books }) => books.cards > 1)).toEqual([])
    expect(played.at(-1)?.books.cards).toBe(1)
    expect(played.length).toBeGreaterThan(9)
  }, 300_000)

  it('at any step of an approval grants once, and tells both how it ended', async () => {
    const played = await playEachStep(approval, { ending })

    expect(played.filter(({ books }) => !areTrue(books))).toEqual([])
    expect(played.filter(({ books }) => outcomeIn(books.card) !== outcomeIn(books.told[0] ?? ''))).toEqual([])
    // Twice, in the same words, where Slack had taken it and the bot could not write that down any more.
    const twice = played.filter(({ books }) => books.told.length !== 1)
    expect(twice.filter((one) => !didBefore(one, /^left: POST \/api\/chat.postMessage/))).toEqual([])
    expect(twice.filter((one) => one.books.told.length > 2)).toEqual([])
    // Where nothing had been sent the request is open, and approving it again grants.
    const again = played.filter(({ books }) => books.isPressedAgain)
    expect(again.length).toBeGreaterThan(0)
    expect(again.filter(({ books }) => books.posts !== 1)).toEqual([])
    expect(played.length).toBeGreaterThan(13)
  }, 300_000)
})
