// kill -9 at every step of maintenance: it is sent once at most, whoever pressed is told, and so is the channel.
import { expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { didBefore, playEachStep } from './faults/each-step.ts'
import { maintenance } from './faults/mode-stories.ts'
import { createAgingDatabase } from './faults/postgres-later.ts'

const postgres = await startPostgres()

it.each([
  ['SQLite', undefined],
  ['PostgreSQL', () => createAgingDatabase(postgres)],
])(
  'on %s, at any step: maintenance is sent once at most; whoever pressed is told the truth, and the channel hears',
  async (_, database) => {
    const played = await playEachStep(maintenance, { ending: 'SIGKILL', database })

    for (const { books, trail } of played) {
      const { writes, isOn, isKept, told, heard, recorded } = books
      const minutes = [{ mode: 'maintenance', duration: 120 }]
      expect([writes.length < 2, isOn]).toEqual([true, writes.length === 1])
      if (didBefore({ trail }, /^left: PATCH \/asset/)) expect(writes).toEqual(minutes)
      expect([told.length > 0, isKept || !isOn, heard.length > 0]).toEqual([true, true, isOn])
      // What is called done is on, and nobody is told two things.
      const verdicts = new Set(told.map((plain) => /^🔧/m.test(plain)))
      expect([verdicts.size, verdicts.has(true) && !isOn]).toEqual([1, false])
      const isNotSent = told.some((plain) => /[Nn]ot sent/.test(plain))
      expect([recorded.length, isNotSent && isOn]).toEqual([isNotSent ? 0 : 1, false])
    }
    // Twice only what Slack had taken and the bot could not write down.
    const tells = /^left: POST \/(?:actions|api\/chat\.postMessage)/
    const twice = played.filter(({ books }) => books.told.length + books.heard.length > 2)
    expect(twice.filter((one) => !didBefore(one, tells))).toEqual([])
    expect(twice.filter(({ books }) => books.told.length + books.heard.length > 3)).toEqual([])
    expect(played.at(-1)?.books.recorded).toEqual(['done'])
    expect(played.length).toBeGreaterThan(12)
  },
  300_000,
)
