// An approval that is left in doubt is settled by what its approver's token shows of the container: the verdict for
// everybody who was told the doubt, the rest for the approver alone.
import { describe, expect, it } from 'vitest'
import { actsOf } from '../audit/read.ts'
import { daveIs, viewer } from '../grant/dave.ts'
import { lists, losesAnswer, patient } from '../grant/look-again-world.ts'
import { interaction, send } from '../signed-request.ts'
import { posts } from '../world.ts'
import { asked, line, openAsked, openColleagues } from './colleagues.ts'

const seconds = 1_000
const asMember = `${line} member`

/** Carol approved, and got no answer. */
async function openDoubt(typed = asMember) {
  const world = await openColleagues({ lateMs: 50 })
  const card = await asked(world, typed)
  const before = posts(world).length
  losesAnswer(world, false)
  await world.carol.presses('Approve', card)
  const told = await world.carol.sees('❓ Approved by you', world.general)
  await world.bob.sees('❓ Approved by carol, but it’s not certain', world.bob.dm, patient)
  await world.slack.idle()
  return { world, card, told, sent: () => posts(world).length - before }
}

describe('an approval without an answer', () => {
  it('that monitoring shows is granted, for everybody', async () => {
    const { world, card, bob, carol, general } = await openAsked(line, { lateMs: 50 })
    losesAnswer(world, true)

    await carol.presses('Approve', card)

    await bob.sees('✅ Granted by carol', bob.dm, patient)
    await carol.sees('✅ Granted by you', general)
    await world.slack.idle()
    expect(card.plain).toMatch(/^✅ Granted by carol/)
    expect(lists(world)).toHaveLength(1)
    expect((await actsOf(world)).slice(-2)).toEqual(['grant done', 'approve done'])
  })
})

describe('Look again, of the approver', () => {
  it('settles the request for everybody', async () => {
    const { world, card, told, sent } = await openDoubt()
    const { bob, carol, general, clock, slack } = world
    daveIs(world, { member: true, permissions: viewer })

    await carol.presses('Look again', told)

    await bob.sees('✅ Granted by carol', bob.dm, patient)
    const now = await carol.sees('✅ Granted by you', general)
    expect(now.buttons).toEqual([])
    await carol.doesNotSee('❓ Approved by you', general)
    await slack.idle()
    expect(card.plain).toMatch(/^✅ Granted by carol/)
    expect(sent()).toBe(1)
    expect((await actsOf(world)).filter((act) => act === 'approve done')).toHaveLength(1)
    clock.advance(400 * seconds)
    await world.restart()
    await slack.idle(100)
    expect(carol.messages(carol.dm)).toEqual([])
    expect(
      bob.messages(bob.dm).filter(({ plain }) => plain.includes('✅ Granted by carol')),
    ).toHaveLength(1)
  })

  it('is heard by its asker later, if Slack fails for a moment', async () => {
    const { world, told } = await openDoubt()
    const { bob, carol, clock, slack } = world
    world.expectRefusals()
    daveIs(world, { member: true, permissions: viewer })
    const only = ({ channel }: Record<string, unknown>) =>
      channel === bob.id || channel === bob.dm.id
    slack.trouble.fail('chat.postMessage', { error: 'fatal_error' }, { times: 4, only })

    await carol.presses('Look again', told)
    await slack.idle()
    expect(bob.messages(bob.dm).filter(({ plain }) => plain.includes('✅ Granted'))).toEqual([])
    for (let minutes = 0; minutes < 10; minutes += 1) {
      clock.advance(90 * seconds)
      await slack.idle(50)
    }
    await bob.sees('✅ Granted by carol', bob.dm, patient)
  })

  it('of anybody else reads nothing, though a request for it is signed', async () => {
    const { world, told } = await openDoubt()
    const { alice, general, slack } = world
    const { value } = told.control('Look again')?.element ?? {}
    await alice.types('/grant 12 erin@example.com viewer', general)
    const own = await alice.sees('Not granted', general)
    const read = lists(world).length
    const { payload } = await alice.presses('Edit and try again', own)

    const actions = [{ action_id: 'approval.look-again', value, type: 'button' }]
    await send(world, interaction({ ...payload, actions }))
    await slack.idle()

    expect(lists(world)).toHaveLength(read)
  })
})
