// The commands that an operator types: each line of the shelf's table starts what the npm script of that name starts, and the
// lines for systemd are run in a directory of data, with their settings in the file of settings alone.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { all } from '../documents/markdown.ts'
import { openProcessWorld } from '../playground-world.ts'
import { commandRows, openMachine, run } from './commands.ts'
import { onShelf } from './tools.ts'

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))
const rows = commandRows()
const names = ['doctor', 'audit', 'backup', 'rotate-keys']
const written = ['alerts.md', 'alerts.yml', 'people.md', 'restore.md', 'upgrade.md', 'README.md']

/** The file that a line starts. */
const fileIn = (line: string) => /\bsrc\/[\w/-]+\.ts/.exec(line)?.[0]

describe('the table of commands', () => {
  it('has the commands that need settings, each by the file behind its npm script', () => {
    expect(rows.map(({ name }) => name)).toEqual(names)
    for (const { name, systemd, docker, kubectl } of rows)
      for (const line of [systemd, docker, ...(kubectl === undefined ? [] : [kubectl])])
        expect([line, fileIn(line)]).toEqual([line, fileIn(scripts[name] ?? '')])
  })

  it('is where every page sends people: none tells them to use npm, which reads another file', () => {
    const npm = new RegExp(`npm run ((?:${names.join('|')})\\b)`, 'g')
    const typed = written.flatMap((page) => all(npm, onShelf(page)).map((name) => `${page}: ${name}`))
    expect(typed).toEqual([])
    for (const name of ['alerts.md', 'people.md', 'restore.md', 'upgrade.md'])
      expect([name, onShelf(name).includes('](README.md#commands)')]).toEqual([name, true])
  })
})

describe('under systemd, with settings in the file of the unit alone,', () => {
  it('each line of the table does its work', async () => {
    const machine = openMachine()
    const world = await openProcessWorld({ databaseUrl: `file:${join(machine.home, 'bellhop.db')}` })
    machine.set(world.env)
    const [directory = ''] = all(/^(install -d .*)$/gm, onShelf('restore.md'))
    expect(await run(machine.typed(directory))).toEqual({ exitCode: 0, said: '' })
    const bot = await world.start()
    const said: Record<string, string> = {}
    for (const { name, systemd } of rows) {
      const typed = machine.typed(systemd)
      const ran = await run(typed)
      expect([typed, ran]).toEqual([typed, { exitCode: 0, said: ran.said }])
      said[name] = ran.said
    }
    expect(said).toEqual({
      doctor: expect.stringMatching(/^(All \d+|\d+ of \d+) checks .*Slack accepts it\./s),
      audit: expect.stringContaining('record'),
      backup: expect.stringContaining('The copy is complete.'),
      'rotate-keys': expect.stringContaining('k1'),
    })
    await bot.stop()
  }, 300_000)
})
