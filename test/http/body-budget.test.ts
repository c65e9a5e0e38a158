// The budget for bodies of strangers, whatever comes in which order.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createBodyBudget, type Share } from '../../src/http/read-body.ts'

const steps = fc.array(
  fc.oneof(
    fc.constant({ kind: 'open' as const }),
    fc.record({ kind: fc.constant('take' as const), which: fc.nat(4), more: fc.nat(60) }),
    fc.record({ kind: fc.constant('give-back' as const), which: fc.nat(4) }),
  ),
  { maxLength: 60, size: 'max' },
)

it('a budget for bodies is never overdrawn, ends none but the oldest, and none that fits beside the newer', () => {
  fc.assert(
    fc.property(steps, (script) => {
      const budget = createBodyBudget({ mostBytes: 100 })
      const alive = new Map<Share, number>()
      const shares: Share[] = []
      const sum = () => [...alive.values()].reduce((all, bytes) => all + bytes, 0)
      for (const step of script) {
        if (step.kind === 'open') {
          const share = budget.open(() => {
            expect([...alive.keys()][0]).toBe(share)
            expect(sum()).toBeGreaterThan(100)
            alive.delete(share)
          })
          shares.push(share)
          alive.set(share, 0)
          continue
        }
        const share = shares[shares.length - 1 - step.which]
        if (share === undefined) continue
        if (step.kind === 'give-back') {
          alive.delete(share)
          share.giveBack()
        } else {
          const bytes = (alive.get(share) ?? 0) + step.more
          if (alive.has(share)) alive.set(share, bytes)
          share.take(bytes)
        }
        expect(budget.taken()).toBe(sum())
        expect(budget.taken()).toBeLessThanOrEqual(100)
      }
      for (const share of shares) share.giveBack()
      expect(budget.taken()).toBe(0)
    }),
  )
})
