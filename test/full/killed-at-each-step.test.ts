// kill -9, and SIGTERM, at every step of what writes, and of a connect; another bot takes over and the books are looked at.
import { describe, expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { didBefore, hasNoted, type Played, playEachStep, type Story } from './faults/each-step.ts'
import { createAgingDatabase } from './faults/postgres-later.ts'
import { accessChange, approval, close, connect, grant, type WriteBooks } from './faults/stories.ts'

const postgres = await startPostgres()
const onPostgres = () => createAgingDatabase(postgres)

/** The same whatever is said before it: what became of it. */
function verdictIn(told: string): 'done' | 'not sent' | 'not certain' | undefined {
  if (/✅ (?:Granted|Changed|Removed|Invited)|Closed:|^✅ Disk full/.test(told)) return 'done'
  if (/Not (?:granted|changed|removed|invited)|[Nn]ot sent/.test(told)) return 'not sent'
  return /Not certain|❓ Approved/.test(told) ? 'not certain' : undefined
}

/** Sent at most once, said to be done or not sent only when it is so, and in the trail as it was told. */
function areTrue({ writes, isDone, told, recorded }: WriteBooks): boolean {
  const verdicts = [...new Set(told.map(verdictIn))]
  if (writes > 1 || isDone !== (writes === 1) || verdicts.length > 1) return false
  const [verdict] = verdicts
  if (verdict === undefined || verdict === 'not sent') return writes === 0
  const isRecorded = recorded.length === 1 && (recorded[0] === 'done') === (verdict === 'done')
  // Killed just before it left, nobody knows either.
  return isRecorded && (verdict === 'not certain' || writes === 1)
}

interface Row {
  readonly what: string
  readonly story: Story<void, WriteBooks>
  readonly database?: typeof onPostgres
  /** What tells whoever asked: by the response URL of a command, or of a button. */
  readonly tells: RegExp
}

describe('a bot that is killed (kill -9)', () => {
  it.each<Row>([
    { what: 'a grant, on SQLite,', story: grant, tells: /^left: POST \/commands/ },
    {
      what: 'a grant, on PostgreSQL,',
      story: grant,
      database: onPostgres,
      tells: /^left: POST \/commands/,
    },
    {
      what: 'a close, on PostgreSQL,',
      story: close,
      database: onPostgres,
      tells: /^left: POST \/(?:commands|actions)\//,
    },
    { what: 'a change, on SQLite,', story: accessChange('change'), tells: /^left: POST \/actions/ },
    {
      what: 'a removal, on PostgreSQL,',
      story: accessChange('remove'),
      database: onPostgres,
      tells: /^left: POST \/actions/,
    },
    {
      what: 'an invitation, on SQLite,',
      story: accessChange('invite'),
      tells: /^left: POST \/actions/,
    },
  ])(
    'at any step of $what sent it once at most, and whoever asked is told, and told the truth',
    async ({ story, database, tells }) => {
      const played = await playEachStep(story, { ending: 'SIGKILL', database })

      expect(played.filter(({ books }) => !areTrue(books))).toEqual([])
      expect(played.filter(({ isAcked, books }) => isAcked && books.told.length === 0)).toEqual([])
      // Twice, in the same words, where Slack had taken it and the bot could not write that down any more.
      const twice = played.filter(({ books }) => books.told.length > 1)
      expect(twice.filter((one) => !didBefore(one, tells))).toEqual([])
      expect(twice.filter((one) => one.books.told.length > 2 || hasNoted(one, tells))).toEqual([])
      // Unharmed too, it may be gone before it could write that down: then as above.
      expect(played.at(-1)?.books).toMatchObject({ writes: 1, isDone: true, recorded: ['done'] })
      expect(played.length).toBeGreaterThan(10)
    },
    300_000,
  )

  it('at any step of an approval grants once, and tells both how it ended', async () => {
    const played = await playEachStep(approval, { ending: 'SIGKILL' })

    expect(played.filter(({ books }) => !areTrue(books))).toEqual([])
    const differ = ({ books }: (typeof played)[number]) =>
      verdictIn(books.card) !== verdictIn(books.told[0] ?? '')
    expect(played.filter(differ)).toEqual([])
    const twice = played.filter(({ books }) => books.told.length !== 1)
    expect(twice.filter((one) => !didBefore(one, /^left: POST \/api\/chat.postMessage/))).toEqual(
      [],
    )
    expect(twice.filter((one) => one.books.told.length > 2)).toEqual([])
    // Where nothing had been sent the request is open, and approving it again grants.
    const again = played.filter(({ books }) => books.isPressedAgain)
    expect(again.length).toBeGreaterThan(0)
    expect(again.filter(({ books }) => books.writes !== 1)).toEqual([])
    expect(played.length).toBeGreaterThan(13)
  }, 300_000)

  it('at any step of a connect keeps the account sealed or not at all, and the person knows what to do', async () => {
    const played = await playEachStep(connect, { ending: 'SIGKILL' })

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
})

describe('a bot that is told to stop (SIGTERM)', () => {
  const stopped = async <Scene, Books>(story: Story<Scene, Books>) =>
    (await playEachStep(story, { ending: 'SIGTERM' })).filter(({ isUnharmed }) => !isUnharmed)

  it('at any step of a grant sends it, tells it once, and ends with 0', async () => {
    const played = await stopped(grant)

    const whole = { writes: 1, isDone: true, told: [expect.stringContaining('✅ Granted')] }
    for (const one of played) expect(one).toMatchObject({ isAcked: true, code: 0, books: whole })
    expect(played.length).toBeGreaterThan(9)
  }, 300_000)

  it('at any step of an approval grants, or leaves the request open and says so, and ends with 0', async () => {
    const played = await stopped(approval)

    // A stop that comes before anything is sent leaves the request open and says so; the next bot makes it.
    const open = played.filter(({ books }) => books.isPressedAgain)
    for (const { books } of open)
      expect(books.approverTold.join()).toContain('The request stays open')
    expect(open.length).toBeLessThan(6)
    const whole = {
      writes: 1,
      isDone: true,
      told: [expect.stringContaining('✅ Granted by carol')],
      card: expect.stringContaining('✅ Granted by carol'),
    }
    for (const one of played) expect(one).toMatchObject({ isAcked: true, code: 0, books: whole })
    expect(played.length).toBeGreaterThan(12)
  }, 300_000)
})
