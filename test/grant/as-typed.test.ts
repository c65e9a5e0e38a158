// Lines of `/grant` come back as they were typed, can be pasted back, and are read in any order that has one meaning.
import { describe, expect, it } from 'vitest'
import { interaction, send } from '../signed-request.ts'
import { openWorld, type World } from '../world.ts'

const bodies = ({ service }: World) =>
  service.requests.filter(({ method }) => method === 'POST').map(({ path, body }) => ({ path, body }))

/** The line that Bellhop repeats, as somebody copies it. */
function repeated(plain: string): string {
  return /You typed:\s*(.*)$/m.exec(plain)?.[1] ?? `nothing repeated in: ${plain}`
}

describe('a /grant line with a mistake', () => {
  it.each([
    '/grant 34 dave@example.com viewer wizardry',
    '/grant 34 @dave viewer wizardry',
    '/grant 34 Dave <dave@example.com> viewer & wizardry',
    '/grant 34 dave@example.com viewer #general https://monitor.example.com/a?b=1&c=2 wizardry',
    '/grant 34 o\'hara+ops@example.com "viewer" wizardry',
  ])('is repeated as it was typed, without Slack’s encodings: %s', async (line) => {
    const { alice, general, slack } = await openWorld()
    slack.addPerson({ name: 'dave', email: 'dave@example.com' })

    await alice.types(line, general)

    expect(repeated((await alice.sees('You typed:', general)).plain)).toBe(line)
  })

  it('is repeated with the name of whom Slack gives by id alone, as in messages', async () => {
    const { alice, general, slack } = await openWorld()
    slack.addPerson({ name: 'dave', email: 'dave@example.com' })

    await alice.says(`@Bellhop grant 34 @dave wizardry`, general)

    expect(repeated((await alice.sees('You typed:', general)).plain)).toBe('/grant 34 @dave wizardry')
  })

  it('can be copied, mended and typed again', async () => {
    const world = await openWorld()
    const { alice, general } = world
    await alice.types('/grant 12 dave@example.com wizardry', general)
    const line = repeated((await alice.sees('You typed:', general)).plain)

    await alice.types(line.replace('wizardry', 'viewer'), general)

    await alice.sees('Granted', general)
    expect(bodies(world)).toMatchObject([{ body: { email: 'dave@example.com' } }])
  })
})

describe('Slack’s own encodings, pasted into a line', () => {
  it('are read as the address that they stand for', async () => {
    const world = await openWorld()
    const { alice, general } = world

    await alice.types('/grant 12 <mailto:dave@example.com|dave@example.com> viewer', general)

    await alice.sees('Granted', general)
    expect(bodies(world)).toMatchObject([{ body: { email: 'dave@example.com' } }])
  })

  it('are read as the person that they stand for, who is confirmed first', async () => {
    const world = await openWorld()
    const { alice, general, slack } = world
    const dave = slack.addPerson({ name: 'dave', email: 'dave@example.com' })

    await alice.types(`/grant 12 <@${dave.id}> viewer`, general)

    await alice.presses('Grant access', await alice.sees('from the Slack profile of dave', general))
    await alice.sees('Granted', general)
    expect(bodies(world)).toMatchObject([{ body: { email: 'dave@example.com' } }])
  })

  it('are read around the link of an alert', async () => {
    const { alice, general, service } = await openWorld()
    service.addAlert({ ks: '5HkX', message: 'Disk full' })

    await alice.types('/alert <https://monitor.example.com/alert/5HkX>', general)

    await alice.sees('Disk full', general)
  })
})

describe('the parts of a /grant line', () => {
  it.each([
    '/grant viewer dave@example.com 12',
    '/grant 12 viewer dave@example.com',
    '/grant viewer 12 dave@example.com',
    '/grant dave@example.com viewer 12',
  ])('are taken in the order of %s', async (line) => {
    const world = await openWorld()
    const { alice, general } = world

    await alice.types(line, general)

    await alice.sees('Granted', general)
    expect(bodies(world)).toMatchObject([{ path: '/container/12/user', body: { email: 'dave@example.com' } }])
  })

  it('name nobody by a bare name: Bellhop says how to pick somebody, and sends nothing', async () => {
    const world = await openWorld()
    const { alice, general } = world

    await alice.types('/grant 34 bob viewer', general)

    const answer = await alice.sees('“bob” isn’t an email address', general)
    expect(answer.plain).toContain('type @bob and pick the name from Slack’s list')
    expect(bodies(world)).toEqual([])
  })
})

describe('an address', () => {
  it.each([
    ["o'hara+ops@example.com", 'a straight apostrophe, where Slack links but a part'],
    ['o’hara+ops@example.com', 'the curly apostrophe of phones'],
  ])('like %s goes out whole: %s', async (email) => {
    const world = await openWorld()
    const { alice, general, service } = world
    service.addUser({ email: "o'hara+ops@example.com" })

    await alice.types(`/grant 12 ${email} viewer`, general)

    await alice.sees('Granted', general)
    expect(bodies(world)).toMatchObject([{ body: { email: "o'hara+ops@example.com" } }])
  })

  it('goes out with its capitals, and where it is refused, the receipt says that they may be why', async () => {
    const world = await openWorld()
    const { alice, general } = world

    await alice.types('/grant 12 Dave@Example.com viewer', general)

    const receipt = await alice.sees('Not granted', general)
    expect(receipt.plain).toContain('Monitoring only knows dave@example.com, without capitals.')
    expect(receipt.plain).toContain('dave@example.com')
    expect(bodies(world)).toMatchObject([{ body: { email: 'Dave@Example.com' } }])
  })
})

describe('Run this', () => {
  it('runs the line with its one typo mended', async () => {
    const world = await openWorld()
    const { alice, general } = world
    await alice.types('/grant 12 dave@example.com Viewr', general)
    const answer = await alice.sees('Did you mean viewer?', general)
    expect(answer.plain).toContain('/grant 12 dave@example.com viewer')
    expect(bodies(world)).toEqual([])

    await alice.presses('Run this', answer)

    await alice.sees('Granted', general)
    expect(bodies(world)).toHaveLength(1)
  })

  it('sends one request however often it is pressed', async () => {
    const world = await openWorld()
    const { alice, general } = world
    await alice.types('/grant 12 dave@example.com Viewr', general)
    const answer = await alice.sees('Did you mean viewer?', general)

    await Promise.all([alice.presses('Run this', answer), alice.presses('Run this', answer)])

    await alice.sees('Granted', general)
    await world.slack.idle()
    expect(bodies(world)).toHaveLength(1)
  })

  it('asks first where the line would', async () => {
    const world = await openWorld()
    const { alice, general } = world
    await alice.types('/grant 12 dave@example.com admn', general)

    await alice.presses('Run this', await alice.sees('Did you mean admin?', general))

    const confirmation = await alice.sees('Sensitive flags', general)
    expect(bodies(world)).toEqual([])
    await alice.presses('Grant access', confirmation)
    await alice.sees('Granted', general)
    expect(bodies(world)).toHaveLength(1)
  })

  it('opens the form for a line that names no flag', async () => {
    const { alice, general } = await openWorld()
    await alice.types('/grant 12 dave@example.com membr', general)

    await alice.presses('Run this', await alice.sees('Did you mean member?', general))

    const modal = await alice.seesModal('Grant access')
    expect(modal.labels).toContain('Email')
  })

  it('runs a word of /grant itself', async () => {
    const { alice, general } = await openWorld()
    await alice.types('/grant hlep', general)

    await alice.presses('Run this', await alice.sees('Did you mean /grant help?', general))

    await alice.sees('opens a form', general)
  })

  it('runs what was said to the bot in a message', async () => {
    const world = await openWorld()
    const { alice, slack } = world
    const dave = slack.addPerson({ name: 'dave', email: 'dave@example.com' })
    alice.says(`grant 12 @${dave.name} Viewr`, alice.dm)
    const answer = await alice.sees('Did you mean viewer?', alice.dm)
    expect(answer.plain).toContain('/grant 12 @dave viewer')

    await alice.presses('Run this', answer)

    await alice.presses('Grant access', await alice.sees('from the Slack profile of dave', alice.dm))
    await alice.sees('Granted', alice.dm)
    expect(bodies(world)).toMatchObject([{ body: { email: 'dave@example.com' } }])
  })

  it.each([
    ['/grant 12 dave@example.com rule', 'several names are as near'],
    ['/grant 12 dave@example.com,bob Viewr', 'something else is wrong, too'],
    ['/grant 12 dave@example.com wizardry', 'nothing is near'],
    ['/grant 12 4f1c9a77d20e4f1c9a77 <dave@example.com> Viewr', 'a token may be in it'],
    [
      `/grant 12 ${'dave'.repeat(10)}@${'example.'.repeat(25)}com ${'Read '.repeat(350)} Viewr`,
      'it fits no button',
    ],
  ])('is not offered for %s: %s', async (line) => {
    const { alice, general } = await openWorld()

    await alice.types(line, general)

    expect((await alice.sees('You typed:', general)).buttons).toEqual([])
  })

  it('does nothing for somebody else', async () => {
    const world = await openWorld()
    const { alice, general, slack } = world
    const carol = slack.addPerson({ name: 'carol' })
    general.members.add(carol.id)
    await alice.types('/grant 12 dave@example.com Viewr', general)
    const { payload } = await alice.presses('Run this', await alice.sees('Did you mean viewer?', general))
    await alice.sees('Granted', general)
    const before = bodies(world).length

    const { user, trigger_id: trigger } = payload as Record<'user' | 'trigger_id', unknown>
    const forged = JSON.stringify(payload)
      .replaceAll(JSON.stringify(user), JSON.stringify({ ...(user as object), id: carol.id, name: 'carol' }))
      .replaceAll(String(trigger), `${String(trigger)}.2`)
    await send(world, interaction(JSON.parse(forged)))

    // The forged press answers where the real one did.
    await alice.sees('Only the person who typed that line can run it', general)
    expect(bodies(world)).toHaveLength(before)
  })
})
