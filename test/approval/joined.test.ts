// An approval of the very grant that its approver is making themselves: it is sent once, and what becomes of it is told to
// everybody, also when that comes to light late.
import { describe, expect, it } from 'vitest'
import { lists, losesAnswer, patient } from '../grant/look-again-world.ts'
import { asked, type Colleagues, line, openColleagues, posts } from './colleagues.ts'

const seconds = 1_000
const asMember = `${line} member`

function addsDave({ service }: Colleagues): void {
  const permissions = ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG']
  service.addMember(12, { email: 'dave@example.com', member: true, permissions })
}

/** Carol granted it, approved it meanwhile, and got no answer. */
async function openDoubt() {
  const looking = Promise.withResolvers<void>()
  const joined = Promise.withResolvers<void>()
  async function wait(ms: number): Promise<void> {
    // Between the looks that follow a request, and between those at what somebody else sends.
    if (ms === seconds) await looking.promise
    if (ms === 200) joined.resolve()
    await new Promise(setImmediate)
  }
  const world = await openColleagues({ lateMs: 50, wait })
  const { bob, carol, general, slack } = world
  const card = await asked(world, asMember)
  const before = posts(world).length
  losesAnswer(world, false)
  await carol.types(asMember, general)
  await expect.poll(() => lists(world)).toHaveLength(1)
  await carol.presses('Approve', card)
  await joined.promise
  looking.resolve()
  const told = await carol.sees('❓ Approved by you', general, patient)
  const receipt = await carol.sees('❓ Not certain', general, patient)
  await bob.sees('❓ Approved by carol', bob.dm, patient)
  await slack.idle()
  return { world, card, told, receipt, sent: () => posts(world).length - before }
}

describe('an approval of what its approver is granting themselves', () => {
  it('is sent once, and told to everybody as soon as monitoring shows it', async () => {
    const { world, card, sent } = await openDoubt()
    const { bob, carol, clock, slack } = world
    addsDave(world)

    clock.advance(31 * seconds)

    await bob.sees('✅ Granted by carol', bob.dm, patient)
    await carol.sees('✅ Granted by you', carol.dm, patient)
    await carol.sees('✅ Granted: dave@example.com', carol.dm, patient)
    await slack.idle()
    expect(card.plain).toMatch(/^✅ Granted by carol/)
    clock.advance(400 * seconds)
    await world.restart()
    await slack.idle(100)
    expect(bob.messages(bob.dm).filter(({ plain }) => plain.includes('✅'))).toHaveLength(1)
    expect(carol.messages(carol.dm)).toHaveLength(2)
    expect(sent()).toBe(1)
  })

  it('is settled for everybody when they press Look again on what they approved', async () => {
    const { world, told, sent } = await openDoubt()
    const { bob, carol, general, slack } = world
    addsDave(world)

    await carol.presses('Look again', told)

    await carol.sees('✅ Granted by you', general)
    await bob.sees('✅ Granted by carol', bob.dm, patient)
    await slack.idle()
    expect(carol.screen(carol.dm)).not.toContain('Granted by you')
    expect(sent()).toBe(1)
  })

  it('is settled for everybody when they press Look again on their own receipt', async () => {
    const { world, receipt } = await openDoubt()
    const { bob, carol, general } = world
    addsDave(world)

    await carol.presses('Look again', receipt)

    await carol.sees('✅ Granted: dave@example.com', general)
    await bob.sees('✅ Granted by carol', bob.dm, patient)
  })
})
