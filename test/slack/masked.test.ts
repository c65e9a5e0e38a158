// A text that comes back to whoever typed it: what may be a token is cut, and nothing else.
import { describe, expect, it } from 'vitest'
import { withoutSecrets } from '../../src/slack/text/typed.ts'

describe('a text that is given back', () => {
  it.each([
    'alice-token-4f1c9a',
    '0123456789abcdef0123456789abcdef',
    'xoxb-1234567890-AbCdEfGh',
    'token=0123456789abcdef0123',
    '2026-12-24T18:00x4711',
    'https:0123456789abcdef0123456789abcdef',
  ])('keeps no more than the beginning of %s', (secret) => {
    expect(withoutSecrets(`12 ${secret} viewer`)).toBe(`12 ${secret.slice(0, 4)}… viewer`)
  })

  it.each([
    'until 2026-12-24T18:00',
    'until 2026-12-24T18:00:00.000Z',
    'until 2026-12-24T18:00+01:00',
    'dave.longlegs.2026@example.com',
    'https://monitor.example.com/alert/5HkX4711',
    'TIME_SERIES_MANAGEMENT',
    'a bot token, which starts with xoxb-.',
    '1234567890123456789',
  ])('is whole: %s', (text) => {
    expect(withoutSecrets(text)).toBe(text)
  })
})
