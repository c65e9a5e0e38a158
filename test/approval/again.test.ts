// An *Ask for approval* that was pressed before: a grant is asked for once.
import { describe, expect, it } from 'vitest'
import { asked, openColleagues, posts } from './colleagues.ts'

describe('an approval of what the approver has tried themselves a moment ago', () => {
  it('is sent all the same: it is a wish of its own', async () => {
    const world = await openColleagues()
    const { bob, carol, general, service } = world
    const card = await asked(world)
    service.trouble.answer(429, { only: 'POST', times: 1 })
    await carol.types('/grant 12 dave@example.com viewer', general)
    await carol.sees('busy', general)
    await carol.presses('Approve', card)
    await bob.sees('✅ Granted by carol', bob.dm)
    expect(posts(world)).toHaveLength(3)
  })
})
