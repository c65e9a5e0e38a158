// GET /readyz names what is not ready and why, and never takes long.
import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openFile } from '../database-folder.ts'
import { ready } from '../metrics/scraped.ts'
import { openWorld } from '../world.ts'

describe('GET /readyz', () => {
  it('says that the database cannot be read, and is ready again when it can be', async () => {
    const { url, env } = await openWorld()
    const database = openFile(env.DATABASE_URL)
    expect(await ready({ url })).toBe('200 ok')
    database.exec('alter table migrations rename to elsewhere')
    expect(await ready({ url })).toBe('503 not ready\nstorage: cannot be reached\nSlack: ready')
    database.exec('alter table elsewhere rename to migrations')
    expect(await ready({ url })).toBe('200 ok')
  })

  it.each([
    ['removed', () => {}],
    ['replaced', (path: string) => copyFileSync(`${path}-aside`, path)],
  ])(
    'says that the database file was %s under the running bot, once in the log',
    async (_, replace) => {
      const { url, env, log } = await openWorld()
      const path = String(env.DATABASE_URL).replace('file:', '')
      expect(await ready({ url })).toBe('200 ok')

      renameSync(path, `${path}-aside`)
      replace(path)

      const why = 'storage: the database file was removed or replaced'
      for (let asked = 0; asked < 2; asked += 1) {
        expect(await ready({ url })).toBe(`503 not ready\n${why}\nSlack: ready`)
      }
      expect(
        log.filter((line) => line.includes('was removed or replaced while Bellhop runs')),
      ).toHaveLength(1)
      rmSync(path, { force: true })
      renameSync(`${path}-aside`, path)
      expect(await ready({ url })).toBe('200 ok')
      expect(await ready({ url })).toBe('200 ok')
      expect(log.filter((line) => line.includes('the database can be written again'))).toHaveLength(
        1,
      )
    },
  )

  it('says that the socket to Slack is not connected', async () => {
    const { url, slack, expectRefusals } = await openWorld({ transport: 'socket' })
    expectRefusals()
    expect(await ready({ url })).toBe('200 ok')
    slack.trouble.fail('apps.connections.open', { error: 'internal_error' }, { times: 99 })
    slack.socket.drop()
    await expect
      .poll(() => ready({ url }))
      .toBe('503 not ready\nstorage: ready\nSlack: the socket is not connected')
    slack.trouble.clear()
  })
})
