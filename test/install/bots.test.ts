// Installations as the bot reads them: opened, cached for moments, and never another workspace's.
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createVault, type EncryptionKey } from '../../src/account/vault.ts'
import { encryptionKeys } from '../../src/config/values.ts'
import { createBots, type Installations } from '../../src/install/bots.ts'
import { createLog } from '../../src/log/log.ts'
import type { Bot } from '../../src/slack/workspace/installation.ts'
import { open, temporaryFile } from '../storage/files.ts'

const key = (id: string) => encryptionKeys.parse(`${id}:${randomBytes(32).toString('base64')}`)
const bot = (token: string, changes: Partial<Bot['installation']> = {}): Bot => ({
  token,
  installation: {
    teamId: 'T1',
    teamName: 'Acme',
    enterpriseId: undefined,
    isOrgWide: false,
    botUserId: 'UBOT1',
    botId: 'B1',
    url: undefined,
    scopes: undefined,
    ...changes,
  },
})

async function openBots() {
  const storage = await open(temporaryFile())
  const clock = { now: 1_800_000_000_000 }
  let reads = 0
  const installations: typeof storage.installations = {
    ...storage.installations,
    find(workspaceId) {
      reads += 1
      return storage.installations.find(workspaceId)
    },
  }
  const log = createLog({ level: 'silent' })
  const process = (keys: readonly EncryptionKey[], changes: Partial<Installations> = {}) =>
    createBots({
      installations: { ...installations, ...changes },
      vault: createVault(keys),
      log,
      now: () => clock.now,
    })
  return { storage, clock, process, reads: () => reads }
}

const keys = key('k1')

describe('an installation', () => {
  it('is read from the database once in a while, however often it is asked for', async () => {
    const { process, reads, clock } = await openBots()
    const bots = process(keys)
    await bots.keep(bot('xoxb-1'), 'U1')
    for (let times = 0; times < 10; times += 1) await Promise.all([bots.find('T1'), bots.find('T1')])
    expect(reads()).toBe(1)
    clock.now += 5_000
    expect(await bots.find('T1')).toMatchObject({ token: 'xoxb-1', installerId: 'U1' })
    expect(reads()).toBe(2)
  })

  it('that another process has changed is seen within seconds; one’s own changes at once', async () => {
    const { process, clock } = await openBots()
    const [mine, other] = [process(keys), process(keys)]
    expect(await mine.find('T1')).toBeUndefined()
    await other.keep(bot('xoxb-1'), 'U1')
    expect((await mine.find('T1'))?.token).toBe('xoxb-1')

    await other.keep(bot('xoxb-2'), 'U1')
    expect((await other.find('T1'))?.token).toBe('xoxb-2')
    clock.now += 5_000
    expect((await mine.find('T1'))?.token).toBe('xoxb-2')

    await other.forget(bot('xoxb-2'))
    expect(await other.find('T1')).toBeUndefined()
    clock.now += 5_000
    expect(await mine.find('T1')).toBeUndefined()
  })

  it('is not forgotten for a token that it does not have any more', async () => {
    const { process } = await openBots()
    const bots = process(keys)
    await bots.keep(bot('xoxb-1'), 'U1')
    await bots.keep(bot('xoxb-2'), 'U1')
    expect(await bots.forget(bot('xoxb-1'))).toBe(false)
    expect((await bots.find('T1'))?.token).toBe('xoxb-2')
    expect(await bots.forget(bot('xoxb-2'))).toBe(true)
  })

  it('is forgotten when its token is sealed anew at the same moment', async () => {
    const { storage, process } = await openBots()
    await process(keys).keep(bot('xoxb-1'), 'U1')
    const newer = [...key('k2'), ...keys]
    const find: typeof storage.installations.find = async (workspaceId) => {
      const kept = await storage.installations.find(workspaceId)
      if (kept?.token.startsWith('k1.')) {
        const binding = { purpose: 'installation', workspaceId, userId: 'UBOT1' } as const
        await storage.installations.reseal(
          workspaceId,
          kept.token,
          createVault(newer).seal('xoxb-1', binding),
        )
      }
      return kept
    }
    const bots = process(newer, { find })

    expect(await bots.forget(bot('xoxb-1'))).toBe(true)

    expect(await storage.installations.find('T1')).toBeUndefined()
  })

  it('of an organisation is found by the organisation alone', async () => {
    const { process } = await openBots()
    const bots = process(keys)
    await bots.keep(bot('xoxb-1', { isOrgWide: true, enterpriseId: 'E1' }), 'U1')
    expect(await bots.find('T1')).toBeUndefined()
    expect((await bots.find('E1'))?.token).toBe('xoxb-1')
  })

  it('whose token was copied from another one opens nothing', async () => {
    const { storage, process } = await openBots()
    const bots = process(keys)
    await bots.keep(bot('xoxb-1'), 'U1')
    await bots.keep(bot('xoxb-2', { teamId: 'T2' }), 'U1')
    const theirs = await storage.installations.find('T2')
    if (theirs === undefined) return expect.fail('not kept')
    await storage.installations.keep('T1', theirs)
    expect(await process(keys).find('T1')).toBeUndefined()
  })

  it('is sealed anew with the first key, and lost without its own', async () => {
    const { storage, process } = await openBots()
    await process(keys).keep(bot('xoxb-1'), 'U1')
    const newer = key('k2')
    expect((await process([...newer, ...keys]).find('T1'))?.token).toBe('xoxb-1')
    expect((await storage.installations.find('T1'))?.token).toMatch(/^k2\./)
    expect((await process(newer).find('T1'))?.token).toBe('xoxb-1')
    expect(await process(keys).find('T1')).toBeUndefined()
  })
})
