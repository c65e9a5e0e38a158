// kill -9 at every step of an assign, a comment and a close; another bot takes over and the books are looked at. One way
// in for each: the comment by a line, the assign by a button, the close in a form. From there on they are sent alike.
import { describe, expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { type ActBooks, assignToMe, closeInForm, comment } from './faults/act-stories.ts'
import { hasKept, hasNoted, type Played, playEachStep } from './faults/each-step.ts'
import { createAgingDatabase } from './faults/postgres-later.ts'

const postgres = await startPostgres()
const ending = 'SIGKILL'

/** By the response URL of a command, or of a button. */
const tells = /^left: POST \/(?:commands|actions)\//

const didBefore = ({ trail }: Played<unknown>, what: RegExp) => trail.some((did) => what.test(did))

/** Sent at most once; said to be done when it is, not sent when it was not, and in the trail as it was told. */
function areTrue({ puts, actions, told, recorded }: ActBooks): boolean {
  const isDone = told.some((one) => /Commented on|Closed:|Assigned/.test(one))
  const isNotSent = told.some((one) => one.includes('Not sent'))
  const isDoubted = told.some((one) => one.includes('Not certain'))
  if (puts > 1 || actions > puts || (isDone && isNotSent)) return false
  if (isDone !== recorded.some((one) => one.endsWith(' done'))) return false
  // Whatever is known is told as it is; killed between its request and the answer, nobody knows.
  if (told.length > 0 && !isDoubted && (actions === 1) !== isDone) return false
  return recorded.length <= 1 && (isDone || isDoubted ? recorded.length === 1 : puts === 0)
}

/** Twice, in the same words, where Slack had taken it and the bot could not write that down any more. */
function expectTwiceOnlyUnmarked(played: readonly Played<ActBooks>[]): void {
  const twice = played.filter(({ books }) => books.told.length > 1)
  expect(twice.filter((one) => !didBefore(one, tells))).toEqual([])
  expect(twice.filter((one) => one.books.told.length > 2 || hasNoted(one, tells))).toEqual([])
}

describe.each([
  { engine: 'SQLite', database: undefined },
  { engine: 'PostgreSQL', database: () => createAgingDatabase(postgres) },
] as const)('a bot on $engine that is killed (kill -9) at any step of a comment', ({ engine, database }) => {
  it('sent it once at most, and from then on whoever asked is told what became of it', async () => {
    const played = await playEachStep(comment, { ending, database })
    console.log(`comment on ${engine}: ${played.length - 1} steps`)

    expect(played.filter(({ books }) => !areTrue(books))).toEqual([])
    // Between the ack and the moment at which it is kept, a few milliseconds, nobody is told.
    const unheard = played.filter(({ books }) => books.told.length === 0)
    expect(unheard.filter((one) => hasKept(one))).toEqual([])
    expectTwiceOnlyUnmarked(played)
    expect(played.at(-1)?.books).toMatchObject({ puts: 1, actions: 1, recorded: ['comment done'] })
    expect(played.length).toBeGreaterThan(12)
  }, 300_000)
})

describe('a bot that is killed (kill -9) while somebody acts on a card', () => {
  it('at any step of Assign to me: they hear what became of it once it is kept', async () => {
    const played = await playEachStep(assignToMe, { ending })
    console.log(`assign to me: ${played.length - 1} steps`)
    expect(played.filter(({ books }) => !areTrue(books))).toEqual([])
    const unheard = played.filter(({ books }) => books.told.length === 0)
    expect(unheard.filter((one) => hasKept(one))).toEqual([])
    expectTwiceOnlyUnmarked(played)
    expect(played.at(-1)?.books).toMatchObject({ puts: 1, actions: 1, recorded: ['assign done'] })
  }, 300_000)

  it('at any step of a form: they hear what became of it whenever the form was answered', async () => {
    const played = await playEachStep(closeInForm, { ending })
    console.log(`close in a form: ${played.length - 1} steps`)
    expect(played.filter(({ books }) => !areTrue(books))).toEqual([])
    expect(played.filter(({ isAcked, books }) => isAcked && books.told.length === 0)).toEqual([])
    expectTwiceOnlyUnmarked(played)
    expect(played.at(-1)?.books).toMatchObject({ puts: 1, actions: 1, recorded: ['close done'] })
  }, 300_000)
})
