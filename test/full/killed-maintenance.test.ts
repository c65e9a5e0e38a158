// kill -9 at every step of maintenance: it is sent once at most, whoever pressed is told, and so is the channel.
import { expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { didBefore, hasNoted, playEachStep } from './faults/each-step.ts'
import { maintenance } from './faults/mode-stories.ts'
import { createAgingDatabase } from './faults/postgres-later.ts'

const postgres = await startPostgres()

it.each([
  ['SQLite', undefined],
  ['PostgreSQL', () => createAgingDatabase(postgres)],
])(
  'on %s, at any step: sent once at most, told the truth, its end looked after, and the channel hears',
  async (_, database) => {
    const played = await playEachStep(maintenance, { ending: 'SIGKILL', database })

    for (const { books, isAcked, trail } of played) {
      const { writes, isOn, isKept, told, heard, recorded } = books
      const isSent = didBefore({ trail }, /^left: PATCH \/asset/)
      expect([writes.length <= 1, isOn]).toEqual([true, writes.length === 1])
      if (isSent) expect(writes).toEqual([{ mode: 'maintenance', duration: 120 }])
      expect([isAcked && told.length === 0, isOn && !isKept, isOn === heard.length > 0]).toEqual([
        false,
        false,
        true,
      ])
      const verdicts = new Set(told.map((plain) => /^🔧/m.test(plain)))
      expect([verdicts.size < 2, verdicts.has(true) && !isOn]).toEqual([true, false])
      expect(recorded.length <= 1 && (recorded.length === 1) === told.length > 0).toBe(
        !told.some((plain) => /[Nn]ot sent/.test(plain)),
      )
    }
    // Twice only what Slack had taken and the bot could not write down.
    const tells = /^left: POST \/(?:actions|api\/chat\.postMessage)/
    const twice = played.filter(({ books }) => books.told.length + books.heard.length > 2)
    expect(twice.filter((one) => !didBefore(one, tells) || hasNoted(one, tells))).toEqual([])
    expect(twice.filter(({ books }) => books.told.length + books.heard.length > 3)).toEqual([])
    expect(played.at(-1)?.books.recorded).toEqual(['done'])
    expect(played.length).toBeGreaterThan(12)
  },
  300_000,
)
