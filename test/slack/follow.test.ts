// One request, followed from Slack through the log to the audit record and to the service, by ids alone.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { version } from '../../src/config/version.ts'
import { trailOf } from '../audit/read.ts'
import { diskFull, openWorld, type World } from '../world.ts'

type Line = Readonly<Record<string, unknown>>
const linesOf = ({ log }: World) => log.map((line): Line => JSON.parse(line))
/** Of what was asked by this name, once it is done. */
const handledAs = (world: World, wanted: string) =>
  linesOf(world).filter(({ msg, name }) => msg === 'handled' && name === wanted)
const patient = { timeout: 30_000 }
const grantLine = '/grant 12 dave@example.com viewer'

/** What a document shows of the log, in its block of code below this heading. */
function shownIn(document: string, heading: string): readonly Line[] {
  const text = readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8')
  const section = text.slice(text.indexOf(`## ${heading}\n`)).split('\n## ')[0] ?? ''
  return section.split('\n').flatMap((line) => (line.startsWith('{"') ? [JSON.parse(line)] : []))
}

/** Its fields, with ids, times and durations that are others each time taken out. */
function shapeOf(line: Line): Line {
  const others = ['time', 'request', 'user', 'workspace', 'ms', 'audit']
  return Object.fromEntries(
    Object.entries(line).map(([key, value]) => [key, others.includes(key) ? typeof value : value]),
  )
}

describe('a grant', () => {
  it.each(['http', 'socket'] as const)(
    'over %s is one line that names the command, the person, the workspace and the audit record; its id is in the service’s log',
    async (transport) => {
      const world = await openWorld({ isAliceConnected: 'in the form', transport })
      const { alice, general, service, slack } = world
      await alice.types(grantLine, general)
      await alice.sees('✅ Granted', general)

      await expect.poll(() => handledAs(world, '/grant'), patient).toHaveLength(1)
      const [line] = handledAs(world, '/grant')
      const grant = (await trailOf(world)).find(({ act }) => act === 'grant')
      expect(grant).toMatchObject({
        userId: alice.id,
        workspaceId: slack.workspace.teamId,
        outcome: 'done',
      })
      expect(line).toEqual({
        level: 'info',
        time: expect.any(String),
        request: expect.stringMatching(/^[0-9a-f]{8}$/),
        name: '/grant',
        user: alice.id,
        workspace: slack.workspace.teamId,
        kind: 'command',
        about: 'grant',
        outcome: 'ok',
        ms: expect.any(Number),
        audit: [grant?.seq],
        msg: 'handled',
      })
      const post = service.requests.find(({ method }) => method === 'POST')
      expect(post?.headers).toMatchObject({
        'x-request-id': line?.request,
        'user-agent': `bellhop/${version}`,
      })
    },
  )
})

describe('the line of a request', () => {
  it('names the button, the form, the shortcut and the event', async () => {
    const world = await openWorld({ isAliceConnected: 'in the form' })
    const { alice, bob, general, service, slack } = world
    service.addAlert(diskFull)
    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    await alice.sees('No actions', card)
    await alice.presses('Watch', card)
    await alice.usesShortcut('grant.form')
    await alice.seesModal('Grant access')
    await alice.submits({ fields: { Container: '12', Email: 'dave@example.com', Role: 'Custom' } })
    await slack.deactivate(bob)
    await slack.idle()

    const { teamId: workspace } = slack.workspace
    const alices = { user: alice.id, workspace }
    const wanted = [
      { kind: 'command', name: '/alert', ...alices },
      { kind: 'block_actions', name: 'watch.start', ...alices },
      { kind: 'shortcut', name: 'grant.form', ...alices },
      { kind: 'view_submission', name: 'grant.form', ...alices },
      { kind: 'event_callback', name: 'user_change', workspace },
    ]
    const handled = () => linesOf(world).filter(({ msg }) => msg === 'handled')
    for (const one of wanted) {
      await expect.poll(handled, patient).toContainEqual(expect.objectContaining(one))
    }
    // Whom an event is about has asked for nothing.
    expect(handled().filter(({ user }) => user === bob.id)).toEqual([])
  })

  it('holds no word that somebody typed, no key and no address', async () => {
    const world = await openWorld({ isAliceConnected: 'in the form' })
    const { alice, general, slack, service } = world
    service.addAlert({ ks: 'typed-key', message: 'Disk full' })
    const before = world.log.length
    await alice.types('/alert typed-key', general)
    await alice.types('/alert not-a-key really', general)
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.types('/grant 12 typed-word', general)
    await alice.sees('✅ Granted', general)
    await slack.idle(100)

    const all = world.log.slice(before).join('\n')
    expect(all).toContain('"name":"/grant"')
    for (const typed of [
      'typed',
      'not-a-key',
      'dave',
      'viewer',
      'Disk',
      '127.0.0.1',
      'http',
      'alice',
    ]) {
      expect([typed, all.includes(typed)]).toEqual([typed, false])
    }
  })
})

it('looks as docs/running.md shows it', async () => {
  // Who got access, and the container’s name, are looked up beside it, at any moment.
  const botScopes = ['commands', 'chat:write', 'chat:write.public', 'users:read']
  const env = { MONITOR_OPERATIONS: 'basic' }
  const world = await openWorld({ isAliceConnected: 'in the form', env, slack: { botScopes } })
  const { alice, general } = world
  world.expectRefusals()
  await alice.types(grantLine, general)
  await alice.sees('✅ Granted', general)
  const handled = () => handledAs(world, '/grant')
  await expect.poll(handled, patient).toHaveLength(1)

  const shown = shownIn('docs/running.md', 'Follow one request')
  expect(shown.map(shapeOf)).toEqual(handled().map(shapeOf))
  expect(shown.map((line) => Object.keys(line))).toEqual(handled().map(Object.keys))
})
