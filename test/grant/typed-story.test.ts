// Lines of `/grant` as people type them, from the question to what the service is asked.
import { describe, expect, it } from 'vitest'
import { openWorld, posts, puts, type World } from '../world.ts'
import { daveIs, viewer } from './dave.ts'

async function openWithDave(): Promise<World> {
  const world = await openWorld()
  daveIs(world, { permissions: viewer })
  return world
}

const sent = (world: World) => [...posts(world), ...puts(world)]

describe('a grant that isn’t typed in the exact form', () => {
  it('is shown first, with its time in the asker’s zone, and sent once by its button', async () => {
    const world = await openWorld()
    const { alice, general } = world

    await alice.types('/grant give dave@example.com viewer on 12 until tomorrow', general)
    const question = await alice.sees('Grant this access?', general)
    expect(question.plain).toContain('Viewer on container 12 for dave@example.com')
    expect(question.plain).toContain(
      'You typed “give dave@example.com viewer on 12 until tomorrow”.',
    )
    expect(question.plain).toMatch(/“until tomorrow” is \w+ \d+ \w+ at 00:00 \(\S+\)\./)
    expect(sent(world)).toEqual([])

    await alice.presses('Grant access', question)
    await alice.sees('dave@example.com is now Viewer', general)
    expect(posts(world)).toHaveLength(1)
  })

  it('with two readings offers both, each with all that pressing sends, and sends one of them once', async () => {
    const world = await openWorld()
    const { alice, general } = world
    // The second press finds the message gone.
    world.expectRefusals()

    await alice.types('/grant 12 dave@example.com viewer until tomorrow at 6', general)
    const choice = await alice.sees('Which one do you mean?', general)
    const [first = '', second = '', ...others] = choice.buttons
    expect(others).toEqual([])
    expect(choice.plain).toContain(`• /grant 12 dave@example.com viewer ${first}`)
    expect(choice.plain).toContain(`• /grant 12 dave@example.com viewer ${second}`)
    expect(sent(world)).toEqual([])

    await Promise.allSettled([alice.presses(first, choice), alice.presses(second, choice)])
    await alice.sees('dave@example.com is now Viewer', general)
    await world.slack.idle()
    expect(posts(world)).toHaveLength(1)
  })
})

describe('a line with somebody’s name', () => {
  it('is about the one of that container who is called so, with their address', async () => {
    const world = await openWithDave()
    const { alice, general } = world

    await alice.types('/grant remove dave from 12', general)
    const question = await alice.sees('Remove Dave Doe (dave@example.com) from', general)
    expect(sent(world)).toEqual([])

    await alice.presses('Remove access', question)
    await alice.sees('dave@example.com is no longer on', general)
  })
})

describe('a line that can’t be read', () => {
  it('comes back whole, with its form filled in as far as it was understood', async () => {
    const world = await openWorld()
    const { alice, general } = world

    await alice.types('/grant 12 dave@example.com viewer until tonight or so', general)
    const answer = await alice.sees('I can’t read “until tonight”', general)
    expect(answer.plain).toContain('/grant 12 dave@example.com viewer until tonight or so')
    expect(answer.buttons).toEqual(['Open the form'])

    await alice.presses('Open the form', answer)
    const form = await alice.seesModal('Grant access')
    expect(form.values).toMatchObject({
      Container: '12',
      Email: 'dave@example.com',
      Role: 'Viewer',
    })
    expect(sent(world)).toEqual([])
  })

  it('of a change opens the form with what they have', async () => {
    const { alice, general } = await openWithDave()

    await alice.types('/grant change 12 dave@example.com wizardry', general)
    await alice.presses('Open the form', await alice.sees('“wizardry”', general))

    expect((await alice.seesModal('Change access')).values).toMatchObject({ Role: 'Viewer' })
  })
})

it('an invitation asks first, also one with two readings', async () => {
  const world = await openWorld()
  const { alice, general } = world

  await alice.types('/grant invite new@example.com to 12 as rule', general)
  await alice.presses('RULE_PHONE', await alice.sees('Which one do you mean?', general))

  const question = await alice.sees('Invite new@example.com to', general)
  expect(sent(world)).toEqual([])
  await alice.presses('Invite by email', question)
  await expect.poll(() => sent(world).length).toBe(1)
})
