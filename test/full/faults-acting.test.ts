// kill -9 at every step of a comment by a line and a close in a form, one on each engine; another bot takes over and the
// books are looked at. An assignment is sent like them.
import { describe, expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { type ActBooks, closeInForm, comment } from './faults/act-stories.ts'
import { didBefore, hasNoted, type Played, playEachStep } from './faults/each-step.ts'
import { createAgingDatabase } from './faults/postgres-later.ts'

const postgres = await startPostgres()
const ending = 'SIGKILL'

/** By the response URL of a command, or of a button. */
const tells = /^left: POST \/(?:commands|actions)\//

/** Sent at most once; said to be done when it is, not sent when it was not, and in the trail as it was told. */
function areTrue({ puts, actions, told, recorded }: ActBooks): boolean {
  const isDone = told.some((one) => /Commented on|Closed:|^✅ Disk full/.test(one))
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

describe('a bot that is killed (kill -9) at any step', () => {
  it('of a comment, on SQLite, sent it once at most, and from then on whoever asked is told what became of it', async () => {
    const played = await playEachStep(comment, { ending })

    expect(played.filter(({ books }) => !areTrue(books))).toEqual([])
    expectTwiceOnlyUnmarked(played)
    expect(played.at(-1)?.books).toMatchObject({ puts: 1, actions: 1, recorded: ['comment done'] })
    expect(played.length).toBeGreaterThan(10)
  }, 300_000)

  it('of a close, on PostgreSQL: they hear what became of it whenever the form was answered', async () => {
    const played = await playEachStep(closeInForm, { ending, database: () => createAgingDatabase(postgres) })

    expect(played.filter(({ books }) => !areTrue(books))).toEqual([])
    expect(played.filter(({ isAcked, books }) => isAcked && books.told.length === 0)).toEqual([])
    expectTwiceOnlyUnmarked(played)
    expect(played.at(-1)?.books).toMatchObject({ puts: 1, actions: 1, recorded: ['close done'] })
    expect(played.length).toBeGreaterThan(12)
  }, 300_000)
})
