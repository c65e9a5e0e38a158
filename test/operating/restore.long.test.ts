// A copy that is restored, by the lines that docs/running.md has for it: the bot starts on it, people are still connected, and the
// audit trail holds.
import { globSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runAudit } from '../../src/terminal/audit.ts'
import { openProcessWorld } from '../playground-world.ts'
import { runCommand } from '../terminal/run-command.ts'
import { type Names, openMachine, replaced, run } from './commands.ts'

const [, rest = ''] = readFileSync('docs/running.md', 'utf8').split('\n## Copy and restore\n')
const [page = ''] = rest.split('\n## ')

/** The line of the document that begins so, as somebody types it: with their own names in place of the document’s. */
function line(start: string, names: Names = {}): string {
  const found = page.split('\n').filter((one) => one.startsWith(start))
  expect(found).toHaveLength(1)
  return replaced(found[0] ?? '', names)
}

/** The block of lines that has this one in it, but for those that ask systemd. */
function block(part: string): string {
  const found = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .map(([, lines = '']) => lines)
    .filter((lines) => lines.includes(part))
  expect(found).toHaveLength(1)
  return (found[0] ?? '').replaceAll(/^systemctl .*\n/gm, '')
}

async function runs(typed: string, env: Names = {}): Promise<void> {
  expect([typed, await run(typed, env)]).toEqual([typed, expect.objectContaining({ exitCode: 0 })])
}

type World = Awaited<ReturnType<typeof openProcessWorld>>

/** Alice connects and grants; the copy is made; she disconnects and somebody else is granted access; it is restored. */
async function goThere(
  world: World,
  copy: () => Promise<void>,
  restore: () => Promise<Readonly<Record<string, string>>>,
): Promise<void> {
  const { alice, general, service } = world
  service.addAlert({ ks: '5HkX', message: 'Disk full' })
  const first = await world.start()
  await world.connect()
  await alice.types('/grant 12 dave@example.com viewer', general)
  await alice.sees('Granted', general)
  await copy()
  await alice.types('/alert disconnect', general)
  await alice.sees('deleted your token', general)
  await first.stop()
  const [, head = ''] = /"auditHead":"([^"]+)"/.exec(lastHead(first.output())) ?? []
  expect(head).toMatch(/^\d+:/)

  const changes = await restore()

  await world.start(changes)
  await alice.types('/alert 5HkX', general)
  await alice.sees('Disk full', general)
  const verified = await runCommand(runAudit, { ...world.env, ...changes }, ['--verify'])
  expect(verified).toMatchObject({ exitCode: 0, printed: expect.stringContaining('It ends at') })
  // The look-up above stands where the lost record stood.
  expect(verified.printed).not.toContain(head)
}

function lastHead(output: string): string {
  return output.split('\n').findLast((one) => one.includes('"auditHead"')) ?? ''
}

describe('a copy of a SQLite database', () => {
  it('that is put back by these lines brings back who was connected, and a trail that holds', async () => {
    const machine = openMachine()
    const data = join(machine.home, 'data')
    mkdirSync(data)
    const world = await openProcessWorld({ databaseUrl: `file:${join(data, 'bellhop.db')}` })
    machine.set(world.env)
    await goThere(
      world,
      async () => {
        mkdirSync(join(machine.copies, 'bellhop'))
        await runs(machine.typed(line('cd /var/lib/bellhop &&')))
      },
      async () => {
        const restore = machine.typed(block('mv bellhop.db*'))
        await runs(restore)
        // A second time, as when the first copy was the wrong one: what was put aside first is still there.
        await runs(restore)
        expect(globSync(join(data, 'aside*/bellhop.db'))).toHaveLength(2)
        return {}
      },
    )
  }, 300_000)
})
