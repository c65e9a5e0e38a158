// Bellhop’s own memory: whom somebody gave access before, for them alone; and for a colleague who decides.
import { describe, expect, it } from 'vitest'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import { rememberOwn } from '../../src/grant/past-grants.ts'
import { defaultRoles } from '../../src/grant/roles.ts'
import { asked, line, openColleagues, posts } from '../approval/colleagues.ts'
import { openWorld, type World } from '../world.ts'

const day = 24 * 60 * 60_000
const shortly = 11_000
const sensitive = '/grant 12 dave@example.com WEBHOOKS'
const remembered =
  /You gave dave@example.com Viewer on container 12 \(.+\), so they probably have it already\./
const notTheSame =
  /You gave dave@example.com Viewer on container 12 \(.+\), so they’re probably on it already\. Change their flags in monitoring instead\./
const readings = 'already on container 12. Change their flags in monitoring.'

/** Alice gives Dave access; the next one to ask is refused by the service. */
async function worldWithDave(world: World): Promise<void> {
  const { alice, general, clock, slack } = world
  await alice.types(line, general)
  await alice.sees('✅ Granted', general)
  await slack.idle()
  clock.advance(shortly)
}

const times = (message: SeenMessage) =>
  JSON.stringify(message.blocks).match(/<!date\^\d+\^\u200b{ago}\|/g) ?? []

describe('somebody who grants the same again', () => {
  it('reads what they gave before in place of the readings of a 400, with its time for whoever reads it', async () => {
    const world = await openWorld()
    const { alice, general } = world
    await worldWithDave(world)

    await alice.types('/grant 12 Dave@Example.com READ', general)

    const receipt = await alice.sees('monitoring says no (400)', general)
    expect(receipt.plain).toMatch(/You gave Dave@Example.com Viewer on container 12/)
    expect(receipt.plain).not.toContain(readings)
    expect(receipt.isEphemeral).toBe(true)
    expect(times(receipt)).toHaveLength(1)
    expect(receipt.text).toContain('so they probably have it already.')
    expect(posts(world)).toHaveLength(2)
  })

  it('reads both readings once it is a month ago', async () => {
    const world = await openWorld()
    const { alice, general, clock } = world
    await worldWithDave(world)
    clock.advance(30 * day)

    await alice.types(line, general)

    const receipt = await alice.sees('monitoring says no (400)', general)
    expect(receipt.plain).toContain(readings)
    expect(receipt.plain).not.toContain('You gave')
  })

  it('reads it before they confirm, on the command line and in the form; it is not refused for that', async () => {
    const world = await openWorld()
    const { alice, general } = world
    await worldWithDave(world)

    await alice.types(sensitive, general)
    const confirmation = await alice.sees('Sensitive flags', general)
    expect(confirmation.plain).toMatch(notTheSame)
    expect(confirmation.text).toContain('Press Grant access or Cancel. You gave dave@example.com Viewer')

    await alice.types('/grant 12 dave@example.com', general)
    await alice.seesModal('Grant access')
    await alice.submits({ fields: { Role: 'Custom', Administration: ['Make, change or delete webhooks'] } })
    const modal = await alice.seesModal('Grant access')
    expect(modal.plain).toMatch(notTheSame)
    await alice.closes()
    await alice.closes()

    await alice.presses('Grant access', confirmation)
    await alice.sees('monitoring says no (400)', general)
    expect(posts(world)).toHaveLength(2)
  })

  it('reads of several people whom of them they gave it to, beside the readings', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    service.addUser({ email: 'erin@example.com' })
    await worldWithDave(world)

    await alice.types('/grant 12 dave@example.com,erin@example.com,nobody@example.com viewer', general)

    const receipt = await alice.sees('1 of 3 granted', general)
    expect(receipt.plain).toMatch(remembered)
    expect(receipt.plain).toContain(readings)
  })
})

describe('somebody else who grants it', () => {
  it('reads nothing of it, as it is not theirs', async () => {
    const world = await openWorld()
    const { bob, general, service } = world
    service.addToken({ token: 'bob-admin', name: 'bob', flags: ['API', 'CONTAINER_ACCESS'] })
    await world.connect(bob, 'bob-admin')
    await worldWithDave(world)

    await bob.types(sensitive, general)
    const confirmation = await bob.sees('Sensitive flags', general)
    await bob.presses('Grant access', confirmation)

    const receipt = await bob.sees('monitoring says no (400)', general)
    expect(receipt.plain).toContain(readings)
    expect(bob.screen(general)).not.toMatch(/gave|probably|Alice Archer/)
  })
})

describe('somebody who asks for approval', () => {
  it('reads what a colleague gave at their request, before they ask once more', async () => {
    const world = await openColleagues()
    const { bob, carol, general, clock, slack } = world
    await carol.presses('Approve', await asked(world))
    await bob.sees('Granted by carol', bob.dm)
    await slack.idle()
    clock.advance(shortly)

    await bob.types('/grant 12 dave@example.com READ', general)
    await bob.presses(
      'Ask for approval',
      await bob.sees(/Not granted[\s\S]+ · container 12\nREAD\n/, general),
    )

    const modal = await bob.seesModal('Ask for approval')
    expect(modal.plain).toMatch(
      /dave@example.com got Viewer on container 12 at your request \(.+\), so they probably have it already\./,
    )
  })

  it('reads it where a flag needs a colleague as well', async () => {
    const world = await openWorld({ env: { APPROVAL_FLAGS: 'WEBHOOKS' } })
    const { alice, general } = world
    await worldWithDave(world)

    await alice.types(sensitive, general)

    // By then her token may have shown the container’s name.
    expect(
      (await alice.sees('Not sent yet', general)).plain.replaceAll('Customer 1 (12)', 'container 12'),
    ).toMatch(notTheSame)
  })

  it('reads nothing of what others gave', async () => {
    const world = await openColleagues()
    const { bob, general } = world
    await worldWithDave(world)

    await bob.types(line, general)
    await bob.presses('Ask for approval', await bob.sees('Not granted', general))

    expect((await bob.seesModal('Ask for approval')).plain).not.toMatch(/gave|got|probably/)
  })
})

describe('a colleague who approves', () => {
  it('is told alone that somebody gave it before, and approves anyway or leaves it', async () => {
    const world = await openColleagues()
    const { alice, bob, carol, general, slack } = world
    await worldWithDave(world)
    const card = await asked(world)

    await carol.presses('Approve', card)

    const question = await carol.sees('Alice Archer gave dave@example.com Viewer on container 12', general)
    expect(question.plain).toContain('so they probably have it already.')
    expect(question.isEphemeral).toBe(true)
    expect(question.buttons).toEqual(['Approve anyway'])
    expect(times(question)).toHaveLength(1)
    await slack.idle()
    expect(card.plain).toContain('🔑 bob asks')
    expect(posts(world)).toHaveLength(2)

    await carol.presses('Approve anyway', question)
    await bob.sees('by carol', bob.dm)
    expect(posts(world).map(({ token, status }) => [token, status])).toEqual([
      ['alice', 204],
      ['bob', 403],
      ['carol', 400],
    ])
    for (const reader of [alice, bob]) expect(reader.screen(general)).not.toMatch(/Alice Archer gave/)
  })

  it('is told that it was themselves', async () => {
    const world = await openColleagues()
    const { alice, general } = world
    await worldWithDave(world)
    const card = await asked(world)

    await alice.presses('Approve', card)

    expect((await alice.sees('Approve anyway', general)).plain).toMatch(remembered)
  })

  it('is told nothing while they may not approve it', async () => {
    const world = await openColleagues()
    const { dave, bob, general } = world
    await worldWithDave(world)
    const card = await asked(world)

    await dave.presses('Approve', card)
    await dave.sees('This access is for you', general)
    await bob.presses('Approve', card)
    await bob.sees('You asked for this yourself', general)

    for (const reader of [dave, bob]) expect(reader.screen(general)).not.toMatch(/gave|probably/)
  })

  it('approves at once where nothing is remembered', async () => {
    const world = await openColleagues()
    const { carol, bob } = world
    await carol.presses('Approve', await asked(world, '/grant 12 dave@example.com viewer'))
    await bob.sees('✅ Granted by carol', bob.dm)
  })
})

describe('a memory that cannot be read', () => {
  it('is left out, and the log says so', async () => {
    const lines: unknown[] = []
    const room = {
      pastGrants: { newest: () => Promise.reject(new Error('the disk is gone')) },
      people: { in: () => ({ nameOf: async () => undefined }) },
      roles: defaultRoles,
      log: { failedJob: (...line: unknown[]) => void lines.push(line) },
    }
    const wish = {
      ...{ containerId: 12, emails: ['dave@example.com'], member: false },
      ...{ authProvider: undefined, permissions: [] },
    }

    expect(await rememberOwn(room, { workspaceId: 'T1', userId: 'U1' }, wish)).toBeUndefined()
    expect(lines).toHaveLength(1)
  })
})
