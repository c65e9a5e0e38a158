// Commands that an operator types on a server: the lines of docs/running.md start what npm scripts start, and those for
// systemd are run in a directory of data, with their settings in the file of settings alone.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openProcessWorld } from '../playground-world.ts'
import { commandLines, openMachine, run } from './commands.ts'
import { onShelf } from './tools.ts'

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))
const lines = commandLines()
const doctor = 'src/terminal/doctor.ts'

it('the lines of docs/running.md start doctor, and each other command is a file beside it', () => {
  expect(Object.keys(lines)).toEqual(['systemd, as root', 'docker', 'Kubernetes'])
  for (const line of Object.values(lines)) expect(line).toMatch(new RegExp(`\\b${doctor}$`))
  for (const name of ['doctor', 'audit', 'backup', 'rotate-keys'])
    expect(scripts[name]).toContain(`src/terminal/${name}.ts`)
})

describe('under systemd, with settings in the file of the unit alone,', () => {
  async function openBellhop() {
    const machine = openMachine()
    const world = await openProcessWorld({
      databaseUrl: `file:${join(machine.home, 'bellhop.db')}`,
    })
    machine.set(world.env)
    mkdirSync(join(machine.copies, 'bellhop'))
    return { machine, bot: await world.start() }
  }

  it('each command does its work', async () => {
    const { machine, bot } = await openBellhop()
    const said: Record<string, string> = {}
    for (const [name, words] of Object.entries({
      doctor: '',
      audit: '--verify',
      'rotate-keys': '',
    })) {
      const typed = machine.typed(
        (lines['systemd, as root'] ?? '').replace('doctor.ts', `${name}.ts ${words}`),
      )
      const ran = await run(typed)
      expect([typed, ran]).toEqual([typed, { exitCode: 0, said: ran.said }])
      said[name] = ran.said
    }
    expect(said).toEqual({
      doctor: expect.stringMatching(/^(All \d+|\d+ of \d+) checks .*Slack accepts it\./s),
      audit: expect.stringContaining('record'),
      'rotate-keys': expect.stringContaining('k1'),
    })
    await bot.stop()
  }, 300_000)

  it('the unit of the timer makes a copy for this day, and a newer one takes its place', async () => {
    const { machine, bot } = await openBellhop()
    const [, words = ''] = /^ExecStart=(.*)$/m.exec(onShelf('bellhop-backup.service')) ?? []
    const typed = machine
      .typed(words.replaceAll('$$', '$').replaceAll('%%', '%'))
      .replace('/usr/bin/node ', 'node --env-file="$SETTINGS" ')
    for (const _ of ['yesterday', 'today'])
      expect(
        await run(`cd ${machine.home} && ${typed}`, { SETTINGS: machine.settings }),
      ).toMatchObject({
        exitCode: 0,
      })
    expect(readdirSync(join(machine.copies, 'bellhop'))).toEqual([
      expect.stringMatching(/^bellhop-[1-7]\.db$/),
    ])
    await bot.stop()
  }, 300_000)
})
