// An approver's process that dies in the middle leaves a request that others bring to its end.
import { describe, expect, it } from 'vitest'
import type { WriteOutcome } from '../../src/send/outcome.ts'
import {
  approvedBy,
  beginSendStep,
  beginStep,
  finishStep,
  heardStep,
  settleStep,
  toBeApproved,
} from '../../src/send/request.ts'
import { leaseMs } from '../../src/work/under-way.ts'
import { trailOf } from '../audit/read.ts'
import { asAnother, type When } from '../send/left-behind.ts'
import { posts } from '../world.ts'
import { asked, type Colleagues, openAsked, openColleagues, recordsOf } from './colleagues.ts'

/**
 * What a process leaves behind that died once Carol had approved, while it sent, or when all had an outcome, before it told
 * anybody.
 */
async function died(
  world: Colleagues,
  when: When,
  outcome: WriteOutcome = { kind: 'done' },
): Promise<void> {
  const { slack, bob, carol } = world
  const workspaceId = slack.workspace.teamId
  await asAnother(world, async ({ requests }) => {
    const [open] = await requests.list({ workspaceId, ref: toBeApproved })
    if (open?.askerId !== bob.id) throw new Error('no request is open')
    const by = { userId: carol.id, name: 'carol' }
    const begins = { sender: { workspaceId, userId: carol.id }, approver: by, passes: () => true }
    const begun = await requests.change(open, beginStep(begins))
    if (begun === undefined) throw new Error('it does not begin')
    if (when === 'begun') return
    await requests.change(begun, beginSendStep(begun, 1))
    if (when === 'sending') return
    await requests.change(begun, settleStep(begun, 1, outcome))
    await requests.change(begun, finishStep(begun))
  })
}

describe('an approval whose process died', () => {
  it('after it was sent is not certain: the request ends so, told once to each, and nothing is sent again', async () => {
    const { world, card, bob, carol, clock, slack } = await openAsked()
    await died(world, 'sending')
    clock.advance(61_000)
    await world.restart()

    const told = await bob.sees('❓ Approved by carol, but it’s not certain', bob.dm)
    for (const { plain } of [told, card]) expect(plain).toContain('I was stopped before')
    await carol.sees(/by you/, carol.dm)
    const [, ...sent] = await recordsOf(world, 'grant')
    expect(sent).toMatchObject([
      { userId: bob.id, approverId: carol.id, outcome: 'uncertain:stopped' },
    ])
    clock.advance(400_000)
    await world.restart()
    await slack.idle()
    expect(card.plain).toMatch(/^❓ Approved by carol, but it’s not certain/)
    expect(bob.messages(bob.dm)).toHaveLength(1)
    expect(carol.messages(carol.dm)).toHaveLength(1)
    expect(posts(world)).toHaveLength(1)
  })

  it('before it was sent is open again, and whoever approved is told', async () => {
    const { world, card, alice, bob, carol, clock, slack } = await openAsked()
    await died(world, 'begun')
    clock.advance(61_000)
    await world.restart()

    await carol.sees('I was stopped before I sent anything', carol.dm)
    await slack.idle()
    expect(card.plain).toMatch(/^🔑/)
    await alice.presses('Approve', card)
    await bob.sees('✅ Granted by alice', bob.dm)
    expect(posts(world)).toHaveLength(2)
  })

  it('cannot be approved by others as long as it may be alive', async () => {
    const { world, card, alice, carol, general, clock } = await openAsked()
    await died(world, 'sending')
    clock.advance(leaseMs - 1_000)
    await world.restart()
    await alice.presses('Approve', card)
    await alice.sees('⏳ Approved by carol, under way.', general)
    expect(posts(world)).toHaveLength(1)
    expect(carol.messages(carol.dm)).toEqual([])
  })
})

describe('a process that dies between opening a request again and telling why', () => {
  it('leaves that to the next, which tells the approver and records it, once', async () => {
    const { world, card, carol, clock, slack } = await openAsked()
    await died(world, 'telling', { kind: 'not-done', code: 'forbidden' })
    clock.advance(leaseMs)

    await world.restart()
    await carol.sees('The request stays open', carol.dm)
    clock.advance(400_000)
    await world.restart()
    await slack.idle()
    expect(carol.messages(carol.dm)).toHaveLength(1)
    expect(await recordsOf(world, 'approve')).toMatchObject([
      { userId: carol.id, outcome: 'not-done:forbidden' },
    ])
    expect(card.plain).toMatch(/^🔑/)
    expect(posts(world)).toHaveLength(1)
  })
})

describe('a process that dies between telling who asked and who approved', () => {
  it('leaves the approver to the next, and nobody hears it twice', async () => {
    const world = await openColleagues()
    const { bob, carol, clock, slack } = world
    await asked(world)
    await died(world, 'telling')
    await asAnother(world, async ({ requests }) => {
      const workspaceId = slack.workspace.teamId
      const [ended] = await requests.list({ workspaceId, ref: approvedBy(carol.id) })
      if (ended !== undefined) await requests.change(ended, heardStep(ended, bob.id))
    })
    clock.advance(leaseMs)

    await world.restart()
    await carol.sees(/by you/, carol.dm)
    await slack.idle()
    expect(bob.messages(bob.dm)).toEqual([])
  })
})

describe('what becomes of a request', () => {
  it('is on record, step by step', async () => {
    const { world, card, alice, bob, carol, service, slack } = await openAsked()
    service.trouble.answer(403, { only: 'POST', times: 1 })
    await carol.presses('Approve', card)
    await carol.sees('The request stays open', world.general)
    await alice.presses('Approve', card)
    await bob.sees('✅ Granted', bob.dm)
    await slack.idle()
    const steps = (await trailOf(world)).filter(({ act }) => act !== 'connect')
    expect(
      steps.map(({ act, userId, approverId, outcome }) => [act, userId, approverId, outcome]),
    ).toEqual([
      ['grant', bob.id, undefined, 'not-done:forbidden'],
      ['ask', bob.id, undefined, 'done'],
      ['grant', bob.id, carol.id, 'not-done:forbidden'],
      ['approve', carol.id, undefined, 'not-done:forbidden'],
      ['grant', bob.id, alice.id, 'done'],
      ['approve', alice.id, undefined, 'done'],
    ])
  })
})
