// An Enterprise Grid organisation: everybody in it is at home, wherever the app is installed; nobody else is.
import { describe, expect, it } from 'vitest'
import { connects, diskFull, openWorld, type World } from '../world.ts'

const everywhere = { isGrid: true } as const
const inOneWorkspace = { isGrid: true, isOrgWide: false } as const

/** A channel with Alice's card, and in it somebody of another team. */
async function openShared(
  slackOptions: { readonly isGrid?: boolean; readonly isOrgWide?: boolean },
  other: { readonly isOfOrganisation: boolean },
) {
  const world = await openWorld({ slack: slackOptions })
  const { alice, slack, service } = world
  const eve = slack.addPerson({
    name: 'eve',
    teamId: 'T0OTHER01',
    email: 'eve@other.example',
    ...other,
  })
  const shared = slack.addChannel({
    name: 'shared',
    members: [alice, eve],
    botIsMember: true,
    isShared: !other.isOfOrganisation,
  })
  service.addAlert(diskFull)
  await alice.types('/alert 5HkX', shared)
  return { ...world, eve, shared, card: await eve.sees('Disk full', shared) }
}

const askedFor = ({ service }: Pick<World, 'service'>) => service.requests.length
const no = 'this Bellhop belongs to another organisation'

describe('somebody of another organisation', () => {
  it.each([
    ['ours is one workspace', {}],
    ['the app is installed for the whole of ours', everywhere],
    ['the app is installed in one workspace of ours', inOneWorkspace],
  ])('gets a clear no where %s', async (_, installed) => {
    const world = await openShared(installed, { isOfOrganisation: false })
    const { eve, shared, card, slack } = world
    const before = askedFor(world)

    await eve.presses('Refresh', card)
    expect((await eve.sees(no, shared)).isEphemeral).toBe(true)
    await eve.writes('@bellhop alert 5HkX', shared)
    await slack.idle()

    expect(eve.messages(shared).filter(({ plain }) => plain.includes(no))).toHaveLength(2)
    expect(askedFor(world)).toBe(before)
    expect(eve.modal).toBeUndefined()
  })

  it('gets nothing either where Slack does not say who people are', async () => {
    const world = await openShared(inOneWorkspace, { isOfOrganisation: false })
    world.expectRefusals()
    world.slack.trouble.fail('users.info', { error: 'missing_scope' })
    await world.eve.presses('Refresh', world.card)
    await world.eve.sees('missing a permission', world.shared)
  })
})

describe('a colleague in another workspace of the organisation', () => {
  it.each([
    ['the app is installed for the whole of it', everywhere],
    ['the app is installed in one workspace of it', inOneWorkspace],
  ])('is served like everybody where %s', async (_, installed) => {
    const world = await openShared(installed, { isOfOrganisation: true })
    const { eve, shared, card, service } = world
    service.addToken({ token: 'eve-token-81b2c7', name: 'eve', flags: ['API', 'READ'] })

    await eve.presses('Refresh', card)
    await connects(eve, 'eve-token-81b2c7', await eve.sees('Connect', shared))
    await eve.sees('refreshed by eve', shared)

    service.addAlert({ ks: '7Typ', message: 'Typed' })
    await eve.types('/alert 7Typ', shared)
    await eve.sees('Typed', shared)
    service.addAlert({ ks: '8Men', message: 'Mentioned' })
    await eve.writes('@bellhop alert 8Men', shared)
    await eve.sees('Mentioned', shared)
    await eve.opensHome()
    await eve.seesHome('Connected')
  })
})
