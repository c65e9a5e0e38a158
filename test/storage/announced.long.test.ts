// Lines in the log about a trouble with the database that it has announced: one when it begins, one when it ends.
import { describe, expect, it } from 'vitest'
import { startPostgres } from '../postgres.ts'
import { openWorld } from '../world.ts'

describe('PostgreSQL that is away', async () => {
  const server = await startPostgres()

  it('has one warning when that begins and one when it ends, and none of background jobs', async () => {
    const world = await openWorld({ env: { DATABASE_URL: await server.createDatabase() } })
    const { url, log } = world
    const failures = async () => {
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(/^bellhop_storage_failures_total\{kind="unreachable"\} (\d+)$/m.exec(text)?.[1])
    }
    const before = log.length

    await server.stop()
    await expect.poll(failures, { timeout: 40_000 }).toBeGreaterThan(4)
    await server.start()
    await expect.poll(async () => (await fetch(`${url}/readyz`)).text(), { timeout: 30_000 }).toBe('ok')

    const said = () =>
      log
        .slice(before)
        .map((line): { level: string; msg: string } => JSON.parse(line))
        .filter(({ level }) => level === 'warn' || level === 'error')
        .map(({ level, msg }) => `${level} ${msg}`)
    const broke = 'warn a connection to the database broke; Bellhop opens another one when it needs it'
    await expect.poll(() => said().length).toBe(2)
    expect(said()).toEqual([broke, 'warn the database is connected again'])
  }, 300_000)
})
