// Doctor on what the asker's own token can do on the container that they used last: monitoring says it, nothing is tried.
import { describe, expect, it } from 'vitest'
import { link, openShown } from '../names/shown-world.ts'
import { aliceToken, bobToken, openWorld, type World } from '../world.ts'
import { asksDoctor, seesDetails } from './asking.ts'

async function usesContainer(options: Parameters<typeof openWorld>[0] = {}): Promise<World> {
  const world = await openWorld(options)
  const { alice, general, service } = world
  service.addUser({ email: 'dave@example.com' })
  await alice.types('/grant 12 dave@example.com viewer', general)
  await alice.sees('Granted', general)
  return world
}

/** The name of the container is read once the grant is there. */
async function isNamed(world: World): Promise<void> {
  await world.serviceWasAsked('/container/12', 1)
  await world.slack.idle(50)
}

function has(world: World, ...flags: ('API' | 'READ' | 'ALERT_CHANGE' | 'ALERT_ASSIGN')[]): void {
  world.service.revoke(aliceToken)
  world.service.addToken({ token: aliceToken, name: 'alice', userId: 7, flags })
}

function asked({ service }: World) {
  return service.requests.filter(({ path }) => path.endsWith('/permissions'))
}

describe('your rights', () => {
  it('are named by what they allow, and by the flag that is missing for the rest', async () => {
    const world = await usesContainer()
    await isNamed(world)
    has(world, 'API', 'READ', 'ALERT_CHANGE')

    expect((await seesDetails(world)).plain).toContain(
      'Your rights: On Customer 1 (12), your token can read alerts, comment and close. It lacks ALERT_ASSIGN (to assign) and CONTAINER_ACCESS (to grant access).',
    )

    expect(asked(world).map(({ token }) => token)).toContain('alice')
  })

  it('are told of the container of an alert as well, by the name that their token has shown', async () => {
    const world = await openShown()
    const { bob, general, slack } = world
    await world.connect(bob, bobToken)
    await bob.types(`/alert ${link}`, general)
    await bob.sees('Customer 1 (12)', general)
    await slack.idle()

    expect((await seesDetails(world, bob)).plain).toContain(
      'Your rights: On Customer 1 (12), your token can read alerts. It lacks',
    )

    expect(new Set(asked(world).map(({ token }) => token))).toEqual(new Set(['bob']))
  })

  it('that monitoring doesn’t tell are not said to be missing', async () => {
    const world = await usesContainer()
    await isNamed(world)
    world.service.behaves({ ownPermissions: 'refused' })

    const told = await asksDoctor(world)

    expect(told.plain).toContain('⚪')
    expect((await seesDetails(world)).plain).toContain(
      '⚪ Your rights: Monitoring doesn’t say what your token can do on Customer 1 (12).',
    )
  })

  it('are asked for with nobody else’s token, and not where somebody has used no container', async () => {
    const world = await usesContainer()
    const { bob, service } = world
    service.addToken({ token: bobToken, name: 'bob', userId: 8, flags: ['API', 'READ'] })
    await world.connect(bob, bobToken)

    const { plain } = await seesDetails(world, bob)

    expect(plain).not.toContain('Your rights')
    expect(asked(world)).toEqual([])
  })

  it('are not asked for with the basic operations', async () => {
    const world = await usesContainer({ env: { MONITOR_OPERATIONS: 'basic' } })
    expect((await seesDetails(world)).plain).not.toContain('Your rights')
    expect(asked(world)).toEqual([])
  })
})
