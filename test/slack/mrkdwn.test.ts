import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cut, escapeText } from '../../src/slack/text/mrkdwn.ts'

const mixed = fc.string({
  unit: fc.constantFrom('&', '<', '>', 'a', '…', '🔥', '\ud83d'),
  maxLength: 60,
})
/** What is longest when it is escaped. */
const worst = fc.nat(60).map((length) => '&'.repeat(length))

it('what is cut fits when it is escaped, and only what is too long is cut', () => {
  fc.assert(
    fc.property(fc.oneof(mixed, worst), fc.integer({ min: 5, max: 300 }), (text, most) => {
      const kept = cut(text, most)
      expect(escapeText(kept).length).toBeLessThanOrEqual(most)
      expect(kept === text.toWellFormed()).toBe(escapeText(text).length <= most)
    }),
  )
})
