// Keys are rotated while the bot runs: nobody has to connect again, and what an older key is still needed for is said.
import { describe, expect, it } from 'vitest'
import { aliceToken, bobToken, connects, openWorld, type World } from '../world.ts'
import { newKey, rotateKeys, sealedTokens } from './rotation.ts'

/** Alice is connected, and a command of Bob waits until he is. */
async function openSealed() {
  const world = await openWorld({ isAliceConnected: 'in the form' })
  const { bob, general, service, env } = world
  service.addAlert({ ks: '5HkX', message: 'Disk full' })
  await bob.types('/alert 5HkX', general)
  const offer = await bob.sees('Connect account', general)
  const [k1, k2] = [env.ENCRYPTION_KEYS ?? '', newKey('k2')]
  const { DATABASE_URL = '' } = env
  return { world, offer, DATABASE_URL, k2, both: `${k2},${k1}` }
}

async function looksUp({ alice, general, service }: World, ks: string): Promise<void> {
  service.addAlert({ ks, message: `Message of ${ks}` })
  await alice.types(`/alert ${ks}`, general)
  await alice.sees(`Message of ${ks}`, general)
}

describe('npm run rotate-keys', () => {
  it('seals tokens anew beside a running bot, and leaves nothing of the older key in the file or its log', async () => {
    const { world, offer, DATABASE_URL, k2, both } = await openSealed()
    const { bob, general } = world
    await world.restart({ ENCRYPTION_KEYS: both })
    const [before = ''] = sealedTokens(DATABASE_URL)
    expect(before).toMatch(/^k1\./)

    const { exitCode, printed } = await rotateKeys({ DATABASE_URL, ENCRYPTION_KEYS: both })

    expect(exitCode).toBe(0)
    expect(printed).toContain('People’s tokens: 1 encrypted again with k2')
    expect(printed).toMatch(
      /k1: encrypts no tokens any more.* Leave it in ENCRYPTION_KEYS for 400 more days/,
    )
    expect(printed).not.toContain(aliceToken)
    expect(world.databaseBytes().includes(before)).toBe(false)

    await looksUp(world, 'with-both')
    await connects(bob, bobToken, offer)
    await bob.sees('Disk full', general)
    await world.restart({ ENCRYPTION_KEYS: k2 })
    await looksUp(world, 'with-the-new-one')
  })

  it('says what no key opens, leaves it, and exits with 1', async () => {
    const { DATABASE_URL, k2 } = await openSealed()

    const { exitCode, printed } = await rotateKeys({ DATABASE_URL, ENCRYPTION_KEYS: k2 })

    expect(exitCode).toBe(1)
    expect(printed).toContain('People’s tokens: 0 encrypted again with k2')
    expect(printed).toContain('Still encrypted with k1: 1.')
    expect(sealedTokens(DATABASE_URL)).toEqual([expect.stringMatching(/^k1\./)])
  })
})
