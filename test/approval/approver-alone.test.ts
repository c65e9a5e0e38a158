// The approver's own 403, told late.
import { describe, expect, it } from 'vitest'
import { openStorage } from '../../src/storage/storage.ts'
import { trailOf } from '../audit/read.ts'
import { asked, openColleagues, posts } from './colleagues.ts'

describe('a process that dies between opening a request again and telling why', () => {
  it('leaves that to the next, which tells the approver and records it, once', async () => {
    const world = await openColleagues()
    const { bob, carol, clock, env, slack } = world
    const card = await asked(world)
    const storage = await openStorage({ url: env.DATABASE_URL ?? '', now: clock.now })
    const workspaceId = slack.workspace.teamId
    const [open] = await storage.approvals.openOf({ workspaceId, userId: bob.id })
    const approver = { userId: carol.id, name: 'carol' }
    const begun = await storage.approvals.begin(workspaceId, open?.id ?? '', approver, 60_000)
    if (begun === undefined) throw new Error('it does not begin')
    const forbidden = { kind: 'not-done', code: 'forbidden' } as const
    await storage.approvals.reopen(begun, [{ email: 'dave@example.com', outcome: forbidden }], 0)
    await storage.close()

    await world.restart()
    const told = await carol.sees('your token lacks API or CONTAINER_ACCESS on container 12', carol.dm)
    expect(told.plain).toContain('The request stays open')
    clock.advance(400_000)
    await world.restart()
    await slack.idle()
    expect(carol.messages(carol.dm)).toHaveLength(1)
    const approvals = (await trailOf(world)).filter(({ act }) => act === 'approve')
    expect(approvals.map(({ userId, outcome }) => [userId, outcome])).toEqual([
      [carol.id, 'not-done:forbidden'],
    ])
    expect(card.plain).toMatch(/^🔑/)
    expect(posts(world)).toHaveLength(1)
  })
})
