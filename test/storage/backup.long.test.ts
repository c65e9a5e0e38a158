// `npm run backup`: a copy while the bot works, whole or not there at all, and never in the place of something else.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runBackup } from '../../src/terminal/backup.ts'
import { openFile } from '../database-folder.ts'
import { runCommand } from '../terminal/run-command.ts'
import { aliceToken, diskFull, openWorld } from '../world.ts'
import { open, temporaryFile } from './files.ts'

const writer = `
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(process.argv[1], { timeout: 5000 })
  const insert = database.prepare("insert into kept values ('once', ?, 'T1', '', '', 0, ?)")
  for (let at = 0; ; at += 1) {
    insert.run(\`\${at}\`, 2 * Date.now())
    if (at === 100) console.log('writing')
    if (at % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
  }`

function backup(DATABASE_URL: string, ...words: string[]) {
  return runCommand(runBackup, { DATABASE_URL }, words)
}

describe('npm run backup', () => {
  it('copies what the bot has, and a bot that is started on the copy goes on from there', async () => {
    const world = await openWorld()
    const { alice, general, service, env } = world
    const to = join(dirname(temporaryFile()), 'copy.db')
    mkdirSync(dirname(to), { recursive: true })

    const { exitCode, printed } = await backup(env.DATABASE_URL ?? '', to)

    expect(exitCode).toBe(0)
    expect(printed).toContain(` to ${to} (`)
    expect(printed).toContain('It doesn’t contain ENCRYPTION_KEYS')
    expect(readFileSync(to).includes(aliceToken)).toBe(false)
    await alice.types('/alert disconnect', general)
    await alice.sees('deleted your token', general)
    await world.restart({ DATABASE_URL: `file:${to}` })
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX', general)
    await alice.sees('Disk full', general)
  })

  it('ends beside a process that never stops writing, with one file that is its owner’s alone', async () => {
    const path = temporaryFile()
    await (await open(path)).close()
    openFile(path).exec(`
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 8000)
      insert into kept select 'once', n || hex(zeroblob(1000)), 'T2', '', '', 0, ${2 * Date.now()} from numbers`)
    const busy = spawn(process.execPath, ['--input-type=module', '-e', writer, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void busy.kill('SIGKILL'))
    const to = join(dirname(path), 'copy.db')
    await new Promise((resolve) => busy.stdout.once('data', resolve))

    expect(await backup(`file:${path}`, to)).toMatchObject({ exitCode: 0, complaint: '' })

    expect(busy.exitCode).toBeNull()
    expect(statSync(to).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(to)).filter((name) => name.startsWith('copy.db'))).toEqual([
      'copy.db',
    ])
    const copy = await open(to)
    expect(await copy.once.claim('T2', `8000${'00'.repeat(1_000)}`)).toBe(false)
    expect(await copy.once.claim('T1', '100')).toBe(false)
  })

  it('overwrites nothing, and does not write where another backup is running', async () => {
    const path = temporaryFile()
    await (await open(path)).close()
    const to = join(dirname(path), 'copy.db')
    writeFileSync(to, 'mine')
    expect(await backup(`file:${path}`, to)).toMatchObject({
      exitCode: 1,
      complaint: `${to} already exists, and Bellhop won’t overwrite it. Name another file.\n`,
    })
    expect(readFileSync(to, 'utf8')).toBe('mine')
    expect((await backup(`file:${path}`, path)).complaint).toContain('already exists')

    const other = join(dirname(path), 'other.db')
    writeFileSync(`${other}.partial`, 'theirs')
    expect((await backup(`file:${path}`, other)).complaint).toContain(
      'remove what stands in its way',
    )
    expect(readFileSync(`${other}.partial`, 'utf8')).toBe('theirs')
    expect(existsSync(other)).toBe(false)
  })

  it('leaves no copy of a file that is damaged, or is no database', async () => {
    const path = temporaryFile()
    const storage = await open(path)
    for (let at = 0; at < 500; at += 1) await storage.once.claim('T2', `${at}${'x'.repeat(500)}`)
    await storage.close()
    const bytes = readFileSync(path)
    bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 20_000)
    writeFileSync(path, bytes)
    const to = join(dirname(path), 'copy.db')

    const damaged = await backup(`file:${path}`, to)
    expect(damaged).toMatchObject({ exitCode: 1, complaint: expect.stringContaining('malformed') })

    writeFileSync(path, 'a shopping list, and not a short one'.repeat(50))
    expect((await backup(`file:${path}`, to)).complaint).toContain('file is not a database')
    expect(readdirSync(dirname(to)).filter((name) => name.startsWith('copy.db'))).toEqual([])
  })

  it.each([
    ['without a file to copy to', 'file:./x.db', [], 'Name the file to copy to'],
    ['with more than one', 'file:./x.db', ['a', 'b'], 'Name the file to copy to'],
    [
      'with no database',
      'file:./there-is-no-such-file.db',
      ['copy.db'],
      'DATABASE_URL: the file doesn’t exist',
    ],
    ['for PostgreSQL', 'postgres://u:secret@host/bellhop', ['copy.db'], 'Copy it with pg_dump'],
  ])('%s says in a sentence what to do', async (_, url, words, sentence) => {
    const { exitCode, complaint, printed } = await backup(url, ...words)
    expect(exitCode).toBe(1)
    expect(complaint.split('\n')).toEqual([expect.stringContaining(sentence), ''])
    expect(complaint + printed).not.toContain('secret')
  })
})
