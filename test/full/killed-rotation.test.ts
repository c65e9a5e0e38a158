// `npm run rotate-keys` is killed in the middle, again and again, and in the end the new key opens everything alone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createVault } from '../../src/account/vault.ts'
import { parseKept } from '../../src/config/config.ts'
import { newKey, rotateKeys } from '../keys/rotation.ts'
import { startPostgres } from '../postgres.ts'
import { openUrl, temporaryFile } from '../storage/files.ts'

const people = 2_000
const kills = 2
const server = await startPostgres()
const { NODE_COMPILE_CACHE } = process.env

describe.each([
  { what: 'a file', create: async () => `file:${temporaryFile()}` },
  { what: 'PostgreSQL', create: () => server.createDatabase() },
])('a rotation on $what that is killed (kill -9) in the middle', ({ create }) => {
  it('loses nothing, and goes on where it was', async () => {
    const DATABASE_URL = await create()
    const [k1, k2] = [newKey('k1'), newKey('k2')]
    const keysOf = (ENCRYPTION_KEYS: string) =>
      parseKept({ DATABASE_URL, ENCRYPTION_KEYS }).encryptionKeys
    const old = createVault(keysOf(k1))
    const storage = await openUrl(DATABASE_URL)
    const owners = Array.from({ length: people }, (_, at) => ({
      workspaceId: 'T1',
      userId: `U${10_000 + at}`,
    }))
    await Promise.all(
      owners.map((owner) =>
        storage.accounts.keep(
          owner,
          old.seal(`token-of-${owner.userId}`, { purpose: 'token', ...owner }),
        ),
      ),
    )
    const env = { DATABASE_URL, ENCRYPTION_KEYS: `${k2},${k1}` }
    const left = async () => (await storage.accounts.sealedByOthers('k2')).length

    for (let kill = 1; kill <= kills; kill += 1) {
      const child = spawn(process.execPath, ['src/terminal/rotate-keys.ts'], {
        env: { NODE_COMPILE_CACHE, ...env },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const exited = once(child, 'exit')
      // Some of this run are done, and many more are not.
      await expect.poll(left, { interval: 5 }).toBeLessThanOrEqual(people - 100 * kill)
      child.kill('SIGKILL')
      expect(await exited).toEqual([null, 'SIGKILL'])
    }
    const done = people - (await left())
    expect(done).toBeGreaterThanOrEqual(100 * kills)
    expect(done).toBeLessThan(people)

    // Where it is seen that the bot may change a row at any moment: it stays as the bot has left it.
    const [changed, gone] = [owners.at(-1), owners.at(-2)]
    if (changed === undefined || gone === undefined) throw new Error('nobody')
    const both = createVault(keysOf(env.ENCRYPTION_KEYS))
    await storage.accounts.keep(changed, both.seal('another', { purpose: 'token', ...changed }))
    await storage.accounts.forget(gone)
    const { exitCode, printed } = await rotateKeys(env)

    expect(exitCode).toBe(0)
    expect(printed).toContain(`People’s tokens: ${people - 2 - done} encrypted again with k2`)
    expect(printed).toContain('k1: encrypts no tokens any more')
    const alone = createVault(keysOf(k2))
    const opened = await Promise.all(
      owners.map(async (owner) => {
        const found = await storage.accounts.find(owner)
        return found && alone.open(found.token, { purpose: 'token', ...owner })
      }),
    )
    expect(opened).toEqual([
      ...owners.slice(0, -2).map(({ userId }) => `token-of-${userId}`),
      undefined,
      'another',
    ])
  }, 300_000)
})
