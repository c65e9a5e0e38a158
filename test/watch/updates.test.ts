// Turns of cards to be drawn, by a clock that moves only when told.
import { describe, expect, it } from 'vitest'
import { createUpdates, type Urgency } from '../../src/watch/updates.ts'

function open() {
  let now = 0
  const updates = createUpdates(() => now)
  const card = (cardId: string, workspaceId = 'T1') => ({ workspaceId, cardId })
  return {
    updates,
    card,
    later(ms: number) {
      now += ms
    },
    asks: (cardId: string, urgency: Urgency, nextBy = 0) => updates.ask(card(cardId), { urgency, nextBy }),
    /** Asks, and is drawn at once when it may be. */
    draws(cardId: string, urgency: Urgency, nextBy = 0): boolean {
      const may = updates.ask(card(cardId), { urgency, nextBy })
      if (may) updates.done(card(cardId), true)
      return may
    },
    called: () => updates.next().map(({ cardId }) => cardId),
  }
}

/** As many cards that changed as may be drawn in a minute. */
function fill({ draws }: ReturnType<typeof open>): number {
  let drawn = 0
  while (draws(`full-${drawn}`, 'change')) drawn += 1
  return drawn
}

describe('updates of a workspace', () => {
  it('are 40 a minute for what changed, and a few more for what somebody has pressed', () => {
    const turns = open()
    expect(fill(turns)).toBe(40)
    expect([1, 2, 3, 4, 5].map((number) => turns.draws(`pressed-${number}`, 'pressed'))).toEqual([
      ...[true, true, true, true],
      false,
    ])
    turns.later(59_999)
    expect(turns.called()).toEqual([])
    turns.later(1)
    expect(turns.called()).toEqual(['pressed-5', 'full-40'])
  })

  it('go to what was pressed, then to what changed, then to quiet cards, oldest promise first', () => {
    const turns = open()
    fill(turns)
    turns.later(1)
    turns.asks('quiet', 'renewal', 1)
    turns.asks('late', 'change', 300)
    turns.asks('soon', 'change', 100)
    turns.asks('pressed', 'change', 900)
    turns.asks('pressed', 'pressed', 900)
    turns.updates.forget(turns.card('full-40'))
    expect(turns.updates.waiting()).toBe(3)
    turns.later(60_000)

    expect(turns.called()).toEqual(['soon', 'late', 'quiet'])
  })

  it('wait in one place a card, however often it asks', () => {
    const turns = open()
    fill(turns)
    for (let times = 0; times < 9; times += 1) expect(turns.asks('one', 'change', times)).toBe(false)
    expect(turns.updates.waiting()).toBe(2)
    turns.later(60_000)
    expect(turns.called()).toEqual(['full-40', 'one'])
    expect(turns.called()).toEqual([])
    expect(turns.draws('one', 'change')).toBe(true)
    expect(turns.updates.waiting()).toBe(1)
  })

  it('renew a quiet card each three seconds, and never where cards that changed need the room', () => {
    const turns = open()
    const at: number[] = []
    for (let second = 0; second < 60; second += 1) {
      if (turns.draws(`quiet-${second}`, 'renewal', second)) at.push(second)
      for (const cardId of turns.called()) if (turns.draws(cardId, 'renewal')) at.push(second)
      turns.later(1_000)
    }
    expect(at).toHaveLength(20)
    turns.later(60_000)
    // Those that still wait are quiet: what has changed comes before them.
    for (let number = 0; number < 40; number += 1)
      expect(turns.asks(`changed-${number}`, 'change')).toBe(true)
    expect(turns.called()).toEqual([])
  })

  it('leave room for what people change themselves', () => {
    const turns = open()
    for (let count = 0; count < 30; count += 1) turns.updates.note('T1', undefined)
    expect(fill(turns)).toBe(10)
  })

  it('wait as Slack asks, in that workspace alone', () => {
    const turns = open()
    turns.updates.busy('T1', 30)
    expect(turns.draws('one', 'pressed')).toBe(false)
    expect(turns.updates.ask(turns.card('one', 'T2'), { urgency: 'renewal', nextBy: 0 })).toBe(true)
    turns.later(29_999)
    expect(turns.called()).toEqual([])
    turns.later(1)
    expect(turns.called()).toEqual(['one'])
  })

  it('go to others when a card that was called does not come', () => {
    const turns = open()
    fill(turns)
    turns.asks('lost', 'change')
    turns.later(60_000)
    expect(turns.called()).toContain('lost')
    turns.later(15_000)
    expect(turns.called()).toEqual([])
    expect(turns.updates.waiting()).toBe(0)
    expect(fill(turns)).toBe(40)
  })
})
