// The systemd unit: it starts what `npm start` starts, with data where systemd puts it.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readBotProcess } from '../../playground/bot-process.ts'
import { openProcessWorld } from '../playground-world.ts'
import { onShelf, ownFolder } from './tools.ts'

const { scripts, engines } = z
  .object({ scripts: z.record(z.string(), z.string()), engines: z.object({ node: z.string() }) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

const unit = onShelf('bellhop.service')

/** Values of a directive, in the order in which they stand. */
function valuesOf(name: string): readonly string[] {
  return [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
}

const [command = ''] = valuesOf('ExecStart')

describe('the systemd unit', () => {
  it('starts what npm start starts, with no npm beside it, and says which Node it takes', () => {
    const [, words = ''] = /^exec node (.*)$/.exec(scripts.start ?? '') ?? []
    const own = words.replace(/--env-file\S+ /, '').replace('src/', '/opt/bellhop/src/')
    expect(command).toBe(`/usr/bin/node ${own}`)
    expect(unit).toContain(`Node ${engines.node.replace('>=', '')} or newer`)
  })

  it('gives a stop the ten seconds it may take, and five more', () => {
    expect(valuesOf('TimeoutStopSec')).toEqual(['15'])
    expect(valuesOf('KillMode')).toEqual(['mixed'])
  })

  it('bounds memory and processes as the container does', () => {
    expect(readFileSync('compose.yaml', 'utf8')).toContain(
      `mem_limit: ${valuesOf('MemoryMax')[0]?.toLowerCase()}`,
    )
    expect(readFileSync('compose.yaml', 'utf8')).toContain(`pids_limit: ${valuesOf('TasksMax')[0]}`)
  })

  it('runs from its directory of data: the default database is there, and a stop ends with 0', async () => {
    const { env } = await openProcessWorld()
    const { DATABASE_URL: _, ...settings } = env
    const folder = ownFolder()
    expect(valuesOf('WorkingDirectory')).toEqual([`/var/lib/${valuesOf('StateDirectory')[0]}`])
    const [, ...words] = command.replaceAll('/opt/bellhop', resolve('.')).split(' ')
    const own = Object.fromEntries(valuesOf('Environment').map((pair) => pair.split('=')))
    const child = spawn(process.execPath, words, { cwd: folder, env: { ...own, ...settings } })
    const bot = await readBotProcess(child)

    expect(await (await fetch(`${bot.url}/healthz`)).text()).toMatch(/^ok /)
    expect(existsSync(join(folder, 'data/bellhop.db'))).toBe(true)
    expect(await bot.stop()).toBe(0)
  })
})
