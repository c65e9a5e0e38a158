// A database that was sealed with other keys than Bellhop is started with: it says so, and nobody loses an account.
import { describe, expect, it } from 'vitest'
import { runAudit } from '../../src/terminal/audit.ts'
import { runDoctor } from '../doctor/run-doctor.ts'
import { runCommand } from '../terminal/run-command.ts'
import { openWorld } from '../world.ts'
import { newKey, rotateKeys } from './rotation.ts'

/** Alice has connected. */
async function openSealedWorld() {
  const world = await openWorld()
  const { env, service, alice, general } = world
  service.addAlert({ ks: '5HkX', message: 'Disk full' })
  const { ENCRYPTION_KEYS: k1 = '', DATABASE_URL = '' } = env
  return {
    ...world,
    k1,
    env: { ...env, DATABASE_URL, PORT: '3000' },
    startsWith: (ENCRYPTION_KEYS: string, url = DATABASE_URL) =>
      world.restart({ ENCRYPTION_KEYS, DATABASE_URL: url }),
    /** Starts it with these keys; Alice is connected still. */
    async works(ENCRYPTION_KEYS: string, url = DATABASE_URL): Promise<void> {
      await world.restart({ ENCRYPTION_KEYS, DATABASE_URL: url })
      const before = alice.messages(general).length
      await alice.types('/alert 5HkX', general)
      await expect.poll(() => alice.messages(general).length).toBeGreaterThan(before)
      await alice.sees('Disk full', general)
    },
  }
}

describe('a start with other ENCRYPTION_KEYS than the database was sealed with', () => {
  it('is refused, names the missing key and the ways out, and leaves everything as it was', async () => {
    const world = await openSealedWorld()

    const start = world.startsWith(newKey('k2'))

    await expect(start).rejects.toThrow('ENCRYPTION_KEYS: the key k1 is missing')
    await expect(start).rejects.toThrow('npm run rotate-keys -- --forget k1')
    await world.works(world.k1)
  })
})

describe('a start with another key under the same name', () => {
  it('is refused for what it is', async () => {
    const world = await openSealedWorld()

    await expect(world.startsWith(newKey('k1'))).rejects.toThrow(
      'ENCRYPTION_KEYS: the key k1 isn’t the one that encrypted',
    )

    await world.works(world.k1)
  })
})

describe('a key that is taken out', () => {
  it('before anything was sealed anew stops the start; after npm run rotate-keys it does not', async () => {
    const world = await openSealedWorld()
    const k2 = newKey('k2')
    const both = `${k2},${world.k1}`
    // Nobody has asked for anything meanwhile.
    await world.startsWith(both)
    await expect(world.startsWith(k2)).rejects.toThrow('the key k1 is missing')

    const { exitCode } = await rotateKeys({ ...world.env, ENCRYPTION_KEYS: both })

    expect(exitCode).toBe(0)
    await world.works(k2)
  })

  it('for good can be forgotten: people connect again, and what it sealed opens should it be found', async () => {
    const world = await openSealedWorld()
    const k2 = newKey('k2')

    const forgotten = await rotateKeys({ ...world.env, ENCRYPTION_KEYS: k2 }, '--forget', 'k1')

    expect(forgotten).toMatchObject({
      exitCode: 0,
      printed: expect.stringContaining('goes on without k1.'),
    })
    await world.startsWith(k2)
    await world.alice.types('/alert 5HkX', world.general)
    await world.alice.sees('Connect account', world.general)
    await world.works(`${k2},${world.k1}`)
  })
})

describe('npm run rotate-keys -- --forget', () => {
  it('forgets no key that is still in ENCRYPTION_KEYS, and none that it does not know', async () => {
    const world = await openSealedWorld()
    const forget = (ENCRYPTION_KEYS: string, ...words: string[]) =>
      rotateKeys({ ...world.env, ENCRYPTION_KEYS }, ...words)

    for (const [key, words] of [
      [newKey('k1'), 'give the new one another id and run `npm run rotate-keys -- --forget k1`'],
      [world.k1, 'k1 is in ENCRYPTION_KEYS. Remove it first.'],
    ] as const)
      expect(await forget(key, '--forget', 'k1')).toMatchObject({
        exitCode: 2,
        complaint: expect.stringContaining(words),
      })
    expect(await forget(newKey('k2'), '--forget', 'k3')).toMatchObject({
      exitCode: 2,
      complaint: expect.stringContaining('It knows k1.'),
    })
    for (const words of [['--forget'], ['--forgt', 'k1'], ['k1']])
      expect(await forget(world.k1, ...words)).toMatchObject({
        exitCode: 2,
        complaint: expect.stringContaining('--forget k1'),
      })

    await world.works(world.k1)
  })
})

describe('another key under the same name', () => {
  it('is red in doctor', async () => {
    const world = await openSealedWorld()

    const wrong = await runDoctor({ ...world.env, ENCRYPTION_KEYS: newKey('k1') })
    const missing = await runDoctor({ ...world.env, ENCRYPTION_KEYS: newKey('k2') })
    const right = await runDoctor(world.env)

    expect(wrong.exitCode).toBe(1)
    expect(wrong.printed).toMatch(/^RED +Keys +ENCRYPTION_KEYS: the key k1 isn’t/m)
    expect(missing.printed).toMatch(/^RED +Keys +ENCRYPTION_KEYS: the key k1 is missing/m)
    expect(right.printed).not.toMatch(/^RED/m)
  })

  it('is not taken for a change of the audit trail, nor for damage by npm run rotate-keys', async () => {
    const world = await openSealedWorld()
    const env = { ...world.env, ENCRYPTION_KEYS: newKey('k1') }

    const verified = await runCommand(runAudit, env, ['--verify'])
    const rotated = await rotateKeys(env)

    expect(verified).toMatchObject({ exitCode: 2, printed: '' })
    expect(verified.complaint).toContain('ENCRYPTION_KEYS: the key k1 isn’t')
    expect(rotated).toMatchObject({ exitCode: 2, printed: '' })
    expect(rotated.complaint).toContain('ENCRYPTION_KEYS: the key k1 isn’t')
  })
})
