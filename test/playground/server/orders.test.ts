// Troubles that are ordered side by side: which comes first, and that each is taken back alone.
import { describe, expect, it } from 'vitest'
import { createTroubles } from '../../../playground/monitor/trouble.ts'
import { Trouble } from '../../../playground/slack/wire/trouble.ts'

describe('two troubles at once', () => {
  it('of Slack: what happens once comes before what lasts, and each is taken back alone', () => {
    const trouble = new Trouble()
    const slow = trouble.slow('chat.update', 5)
    const once = trouble.rateLimit('chat.update', { retryAfterSeconds: 1 })

    expect(once.isWaiting).toBe(true)
    expect(trouble.take('chat.update')?.kind).toBe('answer')
    expect(once.isWaiting).toBe(false)
    expect(trouble.take('chat.update')?.kind).toBe('slow')
    const cut = trouble.cut('chat.update')
    slow.cancel()
    expect([slow.isWaiting, cut.isWaiting]).toEqual([false, true])
    expect(trouble.take('chat.update')?.kind).toBe('cut')
    expect(trouble.take('chat.update')).toBeUndefined()
  })

  it('of the service likewise', () => {
    const { trouble, next } = createTroubles()
    const busy = trouble.rateLimit({ retryAfterSeconds: 1 })
    const cut = trouble.cut({ when: 'after-effect', only: 'POST', times: 1 })

    expect(next('GET')?.kind).toBe('answer')
    expect(next('POST')?.kind).toBe('cut')
    expect([busy.isWaiting, cut.isWaiting]).toEqual([true, false])
    expect(next('POST')?.kind).toBe('answer')
    const hang = trouble.hang({ times: 2 })
    busy.cancel()
    expect([next('GET')?.kind, next('POST')?.kind, next('GET')?.kind]).toEqual(['hang', 'hang', undefined])
    expect(hang.isWaiting).toBe(false)
  })
})
