// Data of an action, and texts of an alert, when the service sends far more of it than anybody reads. Steps are counted, not timed.
import { describe, expect, it } from 'vitest'
import { MonitorError } from '../../src/errors.ts'
import {
  cutData,
  leftOut,
  longestDataText,
  mostValues,
  parseAlertAnswer,
  parseOpenAlertsAnswer,
} from '../../src/monitor/schema.ts'

const names = (count: number, prefix = 'name') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, index]))

/** Counts how many values somebody looks at. */
function counted(data: object) {
  const looks = { count: 0 }
  const seen: Record<string, unknown> = new Proxy(Object.fromEntries(Object.entries(data)), {
    get(target, name, receiver) {
      looks.count += 1
      return Reflect.get(target, name, receiver)
    },
  })
  return { seen, looks }
}

function answerWith(data: string): string {
  const alert = { ks: 'k1', message: 'm', severity: 1, timestamp: 1, lastMessage: 'm', lastSeverity: 1 }
  const rest = { lastTimestamp: 1, ownerId: null, closedTimestamp: null }
  const text = JSON.stringify({ ...alert, ...rest, actions: [{ kind: 'Comment', timestamp: 1, data: 0 }] })
  return text.replace('"data":0', `"data":${data}`)
}

function alertWith(text: string): string {
  return answerWith('null').replaceAll('"m"', JSON.stringify(text)).replace('"Comment"', JSON.stringify(text))
}

const nested = (levels: number) => `${'{"in":'.repeat(levels)}1${'}'.repeat(levels)}`

describe('the data of an action', () => {
  it('is itself, as long as it is of a size that people read', () => {
    const data = {
      message: 'x'.repeat(longestDataText),
      ...names(mostValues - 10),
      deep: { er: [1, null, 'x'] },
    }
    expect(cutData(data)).toBe(data)
  })

  it.each([2_000, 20_000, 200_000])('with %i names is looked at no further than a thousand', (count) => {
    const { seen, looks } = counted(names(count))

    const cut = cutData(seen)

    expect(Object.keys(cut)).toHaveLength(mostValues + 1)
    expect(cut[leftOut]).toBe(count - mostValues)
    expect(looks.count).toBeLessThanOrEqual(mostValues + 10)
  })

  it('is cut to the same, in whatever order the service writes its names', () => {
    const entries = Object.entries(names(3_000))
    const other = Object.fromEntries(entries.toReversed())
    expect(JSON.stringify(cutData(other))).toBe(JSON.stringify(cutData(Object.fromEntries(entries))))
  })

  it('keeps what its sentence is made of', () => {
    const cut = cutData({ ...names(5_000, 'a'), userId: 7, ownerId: 8, message: 'Rotated' })
    expect(cut).toMatchObject({ userId: 7, ownerId: 8, message: 'Rotated' })
  })

  it('keeps no more of lists, of texts and of values within values', () => {
    const list = Array.from({ length: 5_000 }, (_, index) => index)
    const cut = JSON.stringify(cutData({ list, text: 'x'.repeat(3 * longestDataText), more: { list } }))
    expect(cut.length).toBeLessThan(2 * longestDataText)
    expect(cut).toContain(leftOut)
  })

  it.each([30, 60_000, 400_000])('nested %i deep is shown as far as somebody may look', (levels) => {
    const [action] = parseAlertAnswer(answerWith(nested(levels))).actions
    const shown = JSON.stringify(action?.data)
    expect(shown).toContain(leftOut)
    expect(shown.length).toBeLessThan(200)
  })

  it('that is no object is not taken', () => {
    expect(() => parseAlertAnswer(answerWith('[1]'))).toThrow(MonitorError)
    expect(() => parseAlertAnswer(answerWith('"x"'))).toThrow('actions.0.data')
  })

  it('is cut in what the service answers', () => {
    const [action] = parseAlertAnswer(answerWith(JSON.stringify(names(150_000)))).actions
    expect(Object.keys(action?.data ?? {})).toHaveLength(mostValues + 1)
  })
})

describe('the texts of an alert', () => {
  it('are themselves, as long as they are of a size that people read', () => {
    const text = 'x'.repeat(longestDataText)
    const { message, lastMessage, actions } = parseAlertAnswer(alertWith(text))
    expect([message, lastMessage, actions[0]?.kind]).toEqual([text, text, text])
  })

  it('are cut where they are huge, so that nothing that is made of them takes long', () => {
    const { message, lastMessage, actions } = parseAlertAnswer(alertWith('x'.repeat(1_900_000)))
    const texts = [message, lastMessage, actions[0]?.kind]
    expect(texts.map((text) => text?.length)).toEqual(texts.map(() => longestDataText + leftOut.length))
    expect(message.endsWith(`x${leftOut}`)).toBe(true)
  })

  it('are cut in lists as well', () => {
    const open = { ks: 'k', timestamp: 1, lastMessage: 'x'.repeat(1_900_000), lastSeverity: 1 }
    const [first] = parseOpenAlertsAnswer(JSON.stringify([open]))
    expect(first?.lastMessage).toHaveLength(longestDataText + leftOut.length)
  })

  it('keep no half of a pair, also where they are cut', () => {
    const { message } = parseAlertAnswer(alertWith(`x${'🔥'.repeat(longestDataText)}`))
    expect(message.isWellFormed()).toBe(true)
  })
})
