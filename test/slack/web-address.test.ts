// Web addresses as Slack takes them, and words that lead to them.
import { describe, expect, it } from 'vitest'
import { linkTo, webAddress } from '../../src/slack/text/mrkdwn.ts'

describe('a web address', () => {
  it.each([
    ['https://m.example/a?b=1&c=2#d', 'https://m.example/a?b=1&c=2#d'],
    ['https://überwachung.example/störung', 'https://xn--berwachung-8db.example/st%C3%B6rung'],
    ['http://monitor:3000/a b|c>d', 'http://monitor:3000/a%20b%7Cc%3Ed'],
    ['javascript:alert(1)', undefined],
    ['monitor', undefined],
    [`https://m.example/${'x'.repeat(3_000)}`, undefined],
  ])('of %s', (text, address) => {
    expect(webAddress(text)).toBe(address)
  })

  it('has words that cannot end its link', () => {
    expect(linkTo('https://m.example/?a=1&b=2', 'x|y > z')).toBe(
      '<https://m.example/?a=1&amp;b=2|x¦y &gt; z>',
    )
  })
})
