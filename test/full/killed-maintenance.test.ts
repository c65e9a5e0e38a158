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
      const isSent = didBefore({ trail }, /^left: PATCH \/asset/)
      expect(writes).toHaveLength(isOn || isSent ? 1 : 0)
      expect([isOn, isKept || !isOn, heard.length > 0]).toEqual([writes.length > 0, true, isOn])
      // In the same words, whenever they are told.
      const verdicts = new Set(told.map((plain) => /^🔧/m.test(plain)))
      expect([verdicts.size, verdicts.has(true) && !isOn]).toEqual([1, false])
      expect(recorded).toHaveLength(told.some((plain) => /[Nn]ot sent/.test(plain)) ? 0 : 1)
      // Twice only what Slack had taken and the bot could not write down.
      const isTold = didBefore({ trail }, /^left: POST \/(?:actions|api\/chat\.postMessage)/)
      expect(told.length + heard.length).toBeLessThan(isTold ? 4 : 3)
    }
    const writes = [{ mode: 'maintenance', duration: 120 }]
    expect(played.at(-1)?.books).toMatchObject({ writes, recorded: ['done'] })
    expect(played.length).toBeGreaterThan(12)
  },
  300_000,
)
