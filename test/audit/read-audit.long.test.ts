import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createChain } from '../../src/audit/chain.ts'
import type { Entry } from '../../src/audit/trail.ts'
import { parseKept } from '../../src/config/config.ts'
import { runAudit } from '../../src/terminal/audit.ts'
import { openFile } from '../database-folder.ts'
import { openUrl, temporaryFile } from '../storage/files.ts'
import { type Ran, runCommand } from '../terminal/run-command.ts'
import { grantOf, write } from './memory.ts'

const key = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`
const dayMs = 86_400_000
const environment = { ENCRYPTION_KEYS: key('k1', 1) }

const taken: Omit<Entry, 'key'> = {
  workspaceId: 'T1',
  userId: 'U1',
  ks: '5HkX',
  ...({ act: 'assign', outcome: 'done' } as const),
  before: { ownerId: null, isClosed: false },
  after: { ownerId: 7, isClosed: false },
}

interface Trail {
  readonly url: string
  readonly path: string
  readonly env: Readonly<Record<string, string>>
  run(args: readonly string[], changes?: Readonly<Record<string, string>>): Promise<Ran>
  /** Does to the database what its owner could, without a key. */
  touch(statement: string): void
  append(entry: Entry, agoMs?: number): Promise<void>
}

async function openTrail(url = `file:${temporaryFile()}`): Promise<Trail> {
  const base = { ...environment, DATABASE_URL: url }
  const path = url.replace('file:', '')
  let ahead = 0
  const storage = await openUrl(url, () => Date.now() + ahead)
  const chain = createChain(parseKept(base).encryptionKeys)
  return {
    url,
    path,
    env: base,
    run: (args, changes = {}) => runCommand(runAudit, { ...base, ...changes }, args),
    touch: (statement) => openFile(path).exec(statement),
    async append(entry, agoMs = 0) {
      ahead = -agoMs
      await write(storage.auditRecords, chain, entry)
      ahead = 0
    },
  }
}

function lookUp(ks: string): Entry {
  return {
    workspaceId: 'T1',
    userId: 'U2',
    act: 'look-up',
    outcome: 'done',
    ks,
    key: `look-up:${ks}`,
  }
}

async function openSample(): Promise<Trail> {
  const trail = await openTrail()
  await trail.append(grantOf(1), 9 * dayMs)
  await trail.append(grantOf(2, { outcome: 'not-done:forbidden' }), 3 * dayMs)
  await trail.append(lookUp('5HkX'), 2 * dayMs)
  const approved = {
    askerId: 'U1',
    userId: 'U3',
    act: 'approve',
    permissions: [],
    member: true,
  } as const
  await trail.append(grantOf(3, { ...approved, key: 'approve:1', authProvider: 'Google' }), dayMs)
  return trail
}

describe('npm run audit', () => {
  it('prints the last days for people, oldest first', async () => {
    const { run } = await openSample()

    const { exitCode, printed, complaint } = await run(['--since', '7d'])

    expect([exitCode, complaint]).toEqual([0, ''])
    const [head, ...lines] = printed.trimEnd().split('\n')
    expect(head).toMatch(/^Time \(UTC\) +Who +Act +Outcome +On what$/)
    expect(lines.map((line) => line.slice(21).split(/ {2,}/))).toEqual([
      [
        'U1',
        'grant',
        'not-done:forbidden',
        'p2@example.com · container 12 · READ, API · ref g2 · record 2',
      ],
      ['U2', 'look-up', 'done', '5HkX · record 3'],
      [
        'U3',
        'approve',
        'done',
        'p3@example.com · container 12 · Dashboards only · member · via Google · asked by U1 · ref g3 · record 4',
      ],
    ])
    expect((await run([])).printed).toBe(printed)
  })

  it('chooses by person and by address', async () => {
    const { run } = await openSample()
    const references = async (...args: string[]) =>
      (await run(['--since', '30d', '--format', 'jsonl', ...args])).printed
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
        .map(({ reference, ks }) => reference ?? ks)

    expect(await references()).toEqual(['g1', 'g2', '5HkX', 'g3'])
    expect(await references('--who', 'U1')).toEqual(['g1', 'g2', 'g3'])
    expect(await references('--who', 'U2')).toEqual(['5HkX'])
    expect(await references('--who', 'P2@Example.com')).toEqual(['g2'])
  })

  it('prints what was done to an alert for programs', async () => {
    const { run, append } = await openTrail()
    await append({ ...taken, key: 'assign:1' }, 500)
    const { printed } = await run(['--format', 'jsonl'])
    const change = {
      before: { ownerId: null, isClosed: false },
      after: { ownerId: 7, isClosed: false },
    }
    expect(JSON.parse(printed)).toMatchObject({ act: 'assign', record: 1, ...change })
  })

  it('prints nothing that steers a terminal', async () => {
    const { run, append } = await openTrail()
    await append(lookUp('\u001b[2Jgone\u202e'))
    expect((await run([])).printed).toContain('\uFFFD[2Jgone\uFFFD')
    // Somebody may look at JSON lines in a terminal as well.
    await append(lookUp('\u009b1A\u202edown'))
    const lines = (await run(['--format', 'jsonl'])).printed.trim().split('\n')
    expect(lines.join('')).not.toMatch(/\p{C}/u)
    expect(lines.map((line) => JSON.parse(line).ks)).toContain('\uFFFD1A\uFFFDdown')
  })
})

describe('npm run audit -- --verify', () => {
  it('says that the trail holds, and exits with 0', async () => {
    const { run } = await openSample()
    const { exitCode, printed } = await run(['--verify'])
    expect(exitCode).toBe(0)
    expect(printed).toMatch(
      /^The audit trail is intact: records 1 to 4, from .+ UTC to .+ UTC\.\nIt ends at 4:/,
    )
  })

  it.each([
    [
      "update audit_records set body = replace(body, 'READ', 'WEBHOOKS') where seq = 2",
      'Record 2 was changed',
    ],
    ['delete from audit_records where seq = 2', 'Records 2 to 2 are missing.'],
    [
      `update audit_records set key_id = 'k8' || char(27) where seq = 1`,
      'aren’t in ENCRYPTION_KEYS (k8 )',
    ],
  ])('names the first record that was touched, and exits with 1 (%s)', async (statement, words) => {
    const { run, touch } = await openSample()
    touch(statement)
    const { exitCode, printed } = await run(['--verify'])
    expect(exitCode).toBe(1)
    expect(printed.split('\n')[0]).toContain(words)
    expect(printed).not.toContain('The audit trail is intact')
  })
})

describe('npm run audit -- --erase', () => {
  it('takes somebody’s address out of all records, and the trail still holds', async () => {
    const { run, append, path } = await openTrail()
    for (const index of [1, 2]) await append(grantOf(index, { email: 'Dave.Unique@example.com' }))
    await append(grantOf(3))

    expect(await run(['--erase', 'dave.unique@Example.com'])).toMatchObject({
      exitCode: 0,
      printed: expect.stringMatching(
        /^Removed the address from 2 records\. Grants .* 90 days\.\n$/,
      ),
    })

    expect((await run(['--erase', 'dave.unique@example.com'])).printed).toBe(
      'No record holds this address.\n',
    )
    expect((await run(['--verify'])).exitCode).toBe(0)
    const { printed } = await run([])
    expect(printed).toContain('(erased) · container 12')
    expect(printed.toLowerCase()).not.toContain('dave.unique')
    const files = [path, `${path}-wal`].filter((file) => existsSync(file))
    const bytes = files.map((file) => readFileSync(file).toString('latin1').toLowerCase())
    expect(bytes.filter((one) => one.includes('dave.unique'))).toEqual([])
  })
})

describe('npm run audit that cannot be done', () => {
  it('names the settings it lacks, and makes no database where there is none', async () => {
    const { run } = await openTrail()
    const nowhere = `file:${temporaryFile()}`
    expect(await run([], { ENCRYPTION_KEYS: '' })).toMatchObject({
      exitCode: 2,
      complaint: expect.stringContaining('ENCRYPTION_KEYS: is missing'),
    })
    for (const _twice of [1, 2]) {
      expect(await run([], { DATABASE_URL: nowhere })).toMatchObject({
        exitCode: 2,
        complaint: expect.stringContaining('DATABASE_URL: the file doesn’t exist'),
      })
    }
  })

  it('explains itself when asked, without any setting', async () => {
    const { run } = await openTrail()
    const { exitCode, printed } = await run(['--help'], { DATABASE_URL: '', ENCRYPTION_KEYS: '' })
    expect(exitCode).toBe(0)
    for (const option of ['--since', '--who', '--format', '--verify', '--erase'])
      expect(printed).toContain(option)
    expect(Math.max(...printed.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(120)
  })
})
