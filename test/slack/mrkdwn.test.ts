import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cut, escapeText } from '../../src/slack/mrkdwn.ts'

/** Much of it is longer when it is escaped. */
const texts = fc.string({ unit: fc.constantFrom('&', '<', '>', 'a', '…', '🔥', '\ud83d'), maxLength: 60 })

it('what is cut fits when it is escaped, and only what is too long is cut', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 5, max: 120 }), (text, most) => {
      const kept = cut(text, most)
      expect(escapeText(kept).length).toBeLessThanOrEqual(most)
      expect(kept === text.toWellFormed()).toBe(escapeText(text).length <= most)
    }),
  )
})
