// SIGTERM at every step of a grant, a connect and an approval: what is under way is finished first.
import { describe, expect, it } from 'vitest'
import { type Played, playEachStep } from './faults/each-step.ts'
import { approval, connect, grant } from './faults/stories.ts'

const ending = 'SIGTERM'

function stopped<Books>(story: string, played: readonly Played<Books>[]): readonly Played<Books>[] {
  console.log(`${story}: ${played.length - 1} steps`)
  return played.filter(({ isUnharmed }) => !isUnharmed)
}

describe('a bot that is told to stop (SIGTERM)', () => {
  it('at any step of a grant sends it, tells it once, and ends with 0', async () => {
    const played = stopped('grant', await playEachStep(grant, { ending }))

    const whole = { posts: 1, isMember: true, told: [expect.stringContaining('✅ Granted')] }
    for (const one of played) expect(one).toMatchObject({ isAcked: true, code: 0, books: whole })
    expect(played.length).toBeGreaterThan(8)
  }, 300_000)

  it('at any step of a connect keeps the account and shows what waited, and ends with 0', async () => {
    const played = stopped('connect', await playEachStep(connect, { ending }))

    const whole = { modal: expect.stringContaining('Connected.'), cards: 1, next: 'shown', isBare: false }
    for (const one of played) expect(one).toMatchObject({ isAcked: true, code: 0, books: whole })
    expect(played.length).toBeGreaterThan(12)
  }, 300_000)

  it('at any step of an approval grants, or leaves the request open and says so, and ends with 0', async () => {
    const played = stopped('approval', await playEachStep(approval, { ending }))

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
    expect(played.length).toBeGreaterThan(18)
  }, 300_000)
})
