// Keys are rotated while the bot runs: nobody has to connect again, and what an older key is still needed for is said.
import { describe, expect, it } from 'vitest'
import { linkPressed, mintLink } from '../../src/account/links.ts'
import { sealedColumns } from '../../src/storage/stores/keys.ts'
import { openHouse } from '../house.ts'
import { temporaryFile } from '../storage/files.ts'
import { aliceToken, bobToken, openWorld, type World } from '../world.ts'
import { columnsNaming, newKey, rotateKeys, sealedTexts } from './rotation.ts'

/** Somebody has pressed a link to the page where tokens are given. */
async function pressLink(DATABASE_URL: string, ENCRYPTION_KEYS: string): Promise<void> {
  const PUBLIC_URL = 'https://bellhop.example.com'
  const opened = await openHouse({ env: { DATABASE_URL, ENCRYPTION_KEYS, PUBLIC_URL } })
  const house = { ...opened, slack: { ...opened.slack, workspaceName: async () => ({}) } }
  const carol = { workspaceId: 'T1', userId: 'U9', name: 'carol', handle: undefined }
  const link = await mintLink(house, carol, '')
  expect(await linkPressed(house, carol, link?.value ?? '', { isFromView: false })).toBe(true)
}

/** Alice is connected, a command of Bob waits until he is, and a link was pressed. So every purpose has a row. */
async function openSealed() {
  const world = await openWorld({ isAliceConnected: 'in the form' })
  const { bob, general, service, env } = world
  service.addAlert({ ks: '5HkX', message: 'Disk full' })
  await bob.types('/alert 5HkX', general)
  const offer = await bob.sees('Connect account', general)
  const [k1, k2] = [env.ENCRYPTION_KEYS ?? '', newKey('k2')]
  const { DATABASE_URL = '' } = env
  await pressLink(DATABASE_URL, k1)
  return { world, offer, DATABASE_URL, k1, k2, both: `${k2},${k1}` }
}

async function looksUp({ alice, general, service }: World, ks: string): Promise<void> {
  service.addAlert({ ks, message: `Message of ${ks}` })
  await alice.types(`/alert ${ks}`, general)
  await alice.sees(`Message of ${ks}`, general)
}

describe('npm run rotate-keys', () => {
  it('knows every column in which something is sealed', async () => {
    const { DATABASE_URL } = await openSealed()

    const known = new Set(Object.values(sealedColumns).map(({ table, column }) => `${table}.${column}`))

    // What checks a key is sealed with that key for ever.
    const all = [...known, 'key_checks.sealed']
    expect(Object.keys(columnsNaming('k1', DATABASE_URL)).toSorted()).toEqual(all.toSorted())
  })

  it('seals everything anew beside a running bot, and the older key verifies audit records alone', async () => {
    const { world, offer, DATABASE_URL, k2, both } = await openSealed()
    const { bob, general } = world
    await world.restart({ ENCRYPTION_KEYS: both })

    const { exitCode, printed } = await rotateKeys({ DATABASE_URL, ENCRYPTION_KEYS: both })

    expect(exitCode).toBe(0)
    expect(printed).toContain('people’s tokens: 1 of 1 encrypted again with k2')
    expect(printed).toContain('commands that wait for an account: 1 of 1 encrypted again with k2')
    expect(printed).toMatch(/k1: encrypts nothing any more.* Leave it in ENCRYPTION_KEYS for 400 more days/)
    expect(columnsNaming('k1', DATABASE_URL)).toEqual({})
    expect(printed).not.toContain(aliceToken)

    await looksUp(world, 'with-both')
    await world.restart({ ENCRYPTION_KEYS: k2 })
    await looksUp(world, 'with-the-new-one')
    await bob.presses('Connect account', offer)
    await bob.seesModal('Connect account')
    await bob.submits({ fields: { 'API token': bobToken } })
    await bob.sees('Disk full', general)
  })

  it('leaves nothing that the older key sealed in the file or in its log, beside a running bot', async () => {
    const { world, DATABASE_URL, both } = await openSealed()
    await world.restart({ ENCRYPTION_KEYS: both })
    const sealed = sealedTexts(DATABASE_URL).filter((text) => text.startsWith('k1.'))
    expect(sealed.length).toBeGreaterThanOrEqual(4)

    await rotateKeys({ DATABASE_URL, ENCRYPTION_KEYS: both })

    const bytes = world.databaseBytes()
    expect(sealed.filter((text) => bytes.includes(text))).toEqual([])
  })

  it('run again has nothing to do, and says how long the older key stays', async () => {
    const { world, DATABASE_URL, both } = await openSealed()
    await world.restart({ ENCRYPTION_KEYS: both })
    const env = { DATABASE_URL, ENCRYPTION_KEYS: both, AUDIT_DAYS: '0' }
    await rotateKeys(env)
    await looksUp(world, 'meanwhile')

    const { exitCode, printed } = await rotateKeys(env)

    expect(exitCode).toBe(0)
    expect(printed).toContain('people’s tokens: 0 of 1 encrypted again with k2')
    expect(printed).toContain('Leave it in ENCRYPTION_KEYS for good (AUDIT_DAYS is 0)')
  })

  it('says what no key opens, leaves it, and exits with 1', async () => {
    const { DATABASE_URL, k2 } = await openSealed()

    const { exitCode, printed } = await rotateKeys({ DATABASE_URL, ENCRYPTION_KEYS: k2 })

    expect(exitCode).toBe(1)
    expect(printed).toContain('people’s tokens: 0 of 1 encrypted again with k2')
    expect(printed).toContain('k1: 4 can be decrypted only with it.')
    expect(columnsNaming('k1', DATABASE_URL)).toMatchObject({ 'accounts.token': 1, 'kept.value': 3 })
  })

  it('says where its settings are wrong, and does nothing where there is no database', async () => {
    const noKeys = await rotateKeys({ DATABASE_URL: `file:${temporaryFile()}` })
    expect(noKeys).toMatchObject({
      exitCode: 2,
      complaint: expect.stringContaining('ENCRYPTION_KEYS: is missing'),
    })

    const nothing = await rotateKeys({
      DATABASE_URL: `file:${temporaryFile()}`,
      ENCRYPTION_KEYS: newKey('k1'),
    })
    expect(nothing).toMatchObject({
      exitCode: 2,
      complaint: expect.stringContaining('the file doesn’t exist'),
    })
  })
})
