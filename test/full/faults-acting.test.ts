// kill -9 at every step of an assign, a comment and a close; another bot takes over and the books are looked at.
import { describe, expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { type ActBooks, act } from './faults/act-stories.ts'
import { hasKept, type Played, playEachStep } from './faults/each-step.ts'
import { createAgingDatabase } from './faults/postgres-later.ts'

const postgres = await startPostgres()
const ending = 'SIGKILL'

const didBefore = ({ trail }: Played<unknown>, what: RegExp) => trail.some((did) => what.test(did))

/** Sent at most once; said to be done when it is, not sent when it was not, and in the trail as it was told. */
function areTrue({ puts, actions, told, recorded }: ActBooks): boolean {
  const isDone = told.some((one) => /Commented on|Closed:|Assigned/.test(one))
  const isNotSent = told.some((one) => one.includes('Not sent'))
  const isDoubted = told.some((one) => one.includes('Not certain'))
  if (puts > 1 || actions > puts || (isDone && isNotSent)) return false
  if (isDone !== recorded.some((one) => one.endsWith(' done'))) return false
  // The service shows at once what it has taken, so nothing of that stays in doubt.
  if (told.length > 0 && (actions === 1) !== isDone) return false
  return recorded.length <= 1 && (isDone || isDoubted ? recorded.length === 1 : puts === 0)
}

describe.each([
  { kind: 'assign', engine: 'SQLite', database: undefined },
  { kind: 'comment', engine: 'SQLite', database: undefined },
  { kind: 'close', engine: 'SQLite', database: undefined },
  { kind: 'comment', engine: 'PostgreSQL', database: () => createAgingDatabase(postgres) },
] as const)(
  'a bot on $engine that is killed (kill -9) at any step of a $kind',
  ({ kind, engine, database }) => {
    it('sent it once at most, and from then on whoever asked is told what became of it, by looking', async () => {
      const played = await playEachStep(act(kind), { ending, database })
      console.log(`${kind} on ${engine}: ${played.length - 1} steps`)

      expect(played.filter(({ books }) => !areTrue(books))).toEqual([])
      // Between the ack and the moment at which it is kept, a few milliseconds, nobody is told.
      const unheard = played.filter(({ books }) => books.told.length === 0)
      expect(unheard.filter((one) => hasKept(one, /insert into "sends"/))).toEqual([])
      // Twice, in the same words, where Slack had taken it and the bot could not write that down any more.
      const twice = played.filter(({ books }) => books.told.length > 1)
      expect(twice.filter((one) => !didBefore(one, /^left: POST \/commands/))).toEqual([])
      expect(twice.filter((one) => one.books.told.length > 2 || hasKept(one, /"is_told"/))).toEqual([])
      expect(played.at(-1)?.books).toMatchObject({ puts: 1, actions: 1, recorded: [`${kind} done`] })
      expect(played.length).toBeGreaterThan(12)
    }, 300_000)
  },
)
