// SIGTERM at every step of a grant and an approval: what is under way is finished first.
import { describe, expect, it } from 'vitest'
import { type Played, playEachStep, type Story } from './faults/each-step.ts'
import { approval, grant } from './faults/stories.ts'

async function stopped<Scene, Books>(story: Story<Scene, Books>): Promise<readonly Played<Books>[]> {
  return (await playEachStep(story, { ending: 'SIGTERM' })).filter(({ isUnharmed }) => !isUnharmed)
}

describe('a bot that is told to stop (SIGTERM)', () => {
  it('at any step of a grant sends it, tells it once, and ends with 0', async () => {
    const played = await stopped(grant)

    const whole = { posts: 1, isMember: true, told: [expect.stringContaining('✅ Granted')] }
    for (const one of played) expect(one).toMatchObject({ isAcked: true, code: 0, books: whole })
    expect(played.length).toBeGreaterThan(9)
  }, 300_000)

  it('at any step of an approval grants, or leaves the request open and says so, and ends with 0', async () => {
    const played = await stopped(approval)

    // A stop that comes before anything is sent leaves the request open and says so; the next bot makes it.
    const open = played.filter(({ books }) => books.isPressedAgain)
    for (const { books } of open) expect(books.approverTold.join()).toContain('The request stays open')
    expect(open.length).toBeLessThan(6)
    const whole = {
      ...{ posts: 1, isMember: true },
      told: [expect.stringContaining('✅ Granted by carol')],
      card: expect.stringContaining('✅ Granted by carol'),
    }
    for (const one of played) expect(one).toMatchObject({ isAcked: true, code: 0, books: whole })
    expect(played.length).toBeGreaterThan(12)
  }, 300_000)
})
