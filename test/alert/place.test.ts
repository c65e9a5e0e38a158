// Places of alerts: read from links and from whatever a webhook sends, and made into links again.
import { describe, expect, it } from 'vitest'
import { alertUrl } from '../../playground/monitor/world.ts'
import { buildAlertLink, keyInLink } from '../../src/alert/link.ts'
import { type Hint, hintIn, isNamedIn, withHint } from '../../src/alert/place.ts'

const full = { ks: '5HkX', asset: 34, condition: 5, time: 1_700_000_000, container: 12 }
const { ks, time: timestamp, ...numbers } = full
const fullPlace = { ...numbers, timestamp }
const longest = 16 * 1024

describe('a body of the doorbell', () => {
  it.each([
    ['all of it', full, fullPlace],
    ['key and asset alone', { ks: '5HkX', asset: 0 }, { asset: 0 }],
    [
      'nothing for what the alert has none of',
      { ...full, condition: null },
      { ...fullPlace, condition: undefined },
    ],
    ['more than that', { ...full, name: '<!channel>', severity: [1] }, fullPlace],
  ])('is a hint with %s', (_, body, place) => {
    expect(hintIn(JSON.stringify(body))).toEqual({ ks: '5HkX', place })
  })

  it.each([
    ['nothing', ''],
    ['{}, which rings as well', '{}'],
    ['no JSON', '{"ks": "5HkX", "asset": , "condition": }'],
    ['its own template', '{"ks": "{{ ks }}", "asset": {{ asset_id }}}'],
    ['a list', JSON.stringify([full])],
    ['null', 'null'],
    ['a key alone', '{"ks":"5HkX"}'],
    ['an asset alone', '{"asset":34}'],
    ['a key that is no text', '{"ks":"\\ud800","asset":34}'],
    ['an asset beyond all numbers', '{"ks":"5HkX","asset":1e300}'],
    ['brackets without end', '['.repeat(longest)],
  ])('is no hint with %s', (_, body) => {
    expect(hintIn(body)).toBeUndefined()
  })

  it.each([
    ['an empty key', { ks: '' }],
    ['a key that no database keeps', { ks: 'a\0b' }],
    ['a key that is far too long', { ks: 'x'.repeat(201) }],
    ['an asset in quotes', { asset: '34' }],
    ['half an asset', { asset: 34.5 }],
    ['an asset below none', { asset: -1 }],
    ['a time that is none', { time: 'soon' }],
    ['a container with a name', { container: { id: 12 } }],
    ['too much', { more: 'x'.repeat(longest) }],
    ['too many bytes', { more: 'ü'.repeat(longest / 2) }],
  ])('is no hint with %s', (_, changes) => {
    expect(hintIn(JSON.stringify({ ...full, ...changes }))).toBeUndefined()
  })

  it('takes a key that every object has as a name like all other keys', () => {
    expect(hintIn('{"ks":"__proto__","asset":34}')).toEqual({
      ks: '__proto__',
      place: { asset: 34 },
    })
    expect(hintIn('{"__proto__":{"ks":"5HkX","asset":34}}')).toBeUndefined()
  })
})

describe('hints', () => {
  const hint = (ks: string, asset = 34): Hint => ({ ks, place: { asset } })

  it('are the newest hundred, one for each alert', () => {
    const all = Array.from({ length: 150 }, (_, at) => hint(`k${at}`))
    const kept = all.reduce(withHint, [])
    expect(kept).toHaveLength(100)
    expect(kept[0]).toEqual(hint('k50'))
    expect(withHint(kept, hint('k60', 35)).slice(-2)).toEqual([hint('k149'), hint('k60', 35)])
    expect(withHint(kept, hint('k60', 35)).filter(({ ks }) => ks === 'k60')).toHaveLength(1)
  })
})

describe('the place in a link', () => {
  const linked = (behind: string) => {
    const url = `https://monitoring.example.com/container/12/asset/34/alert?${behind}&alert=1700000000`
    const read = keyInLink(url, alertUrl)
    return 'link' in read ? read.link : read
  }

  it('has container, asset and time, and what else is there', () => {
    expect(linked('condition=5&item=%2Fvar%20log')).toEqual({ ...fullPlace, item: '/var log' })
    const { condition, ...less } = fullPlace
    expect(linked('tab=history')).toEqual(less)
  })

  it.each([
    ['a condition that is no number', 'condition=five'],
    ['an item that no database keeps', 'item=a%00b'],
    ['an item that is far too long', `item=${'x'.repeat(201)}`],
  ])('leaves out %s', (_, behind) => {
    const { condition, ...less } = fullPlace
    expect(linked(behind)).toEqual(less)
  })
})

describe('the link of a place', () => {
  const page = 'https://monitoring.example.com/container/12/asset/34/alert'

  it('has what is known, and is read as the same place again', () => {
    const place = { ...fullPlace, item: '/var log&x' }
    const url = buildAlertLink({ ks, ...place }, alertUrl)
    expect(url).toBe(`${page}?condition=5&item=%2Fvar%20log%26x&alert=1700000000`)
    const read = keyInLink(url ?? '', alertUrl)
    expect('link' in read && read.link).toEqual(place)

    const { asset, container } = fullPlace
    expect(buildAlertLink({ ks, asset, container, timestamp }, alertUrl)).toBe(
      `${page}?alert=1700000000`,
    )
    expect(buildAlertLink({ ks, asset, container }, alertUrl)).toBe(page)
  })

  it('is none without a container where the form needs one, and takes the key where it has one', () => {
    expect(buildAlertLink({ ks, asset: 34, timestamp: 1 }, alertUrl)).toBeUndefined()
    const form = 'https://m.example.com/alert/{ks}?asset={asset}'
    expect(buildAlertLink({ ks: '5 X', asset: 34 }, form)).toBe(
      'https://m.example.com/alert/5%20X?asset=34',
    )
  })
})

describe('an asset’s name', () => {
  it.each([
    ['db-03: memory usage too high', 'db-03'],
    ['No backup of DB-03.', 'db-03'],
    ['(db-03)', ' db-03 '],
    ['“db-03”', 'db-03'],
    ['db-03.example.com is away', 'db-03'],
    ['db-031, db-03', 'db-03'],
    ['Lost Web Server 1 again', 'web server 1'],
    ['Überwachung von müller-pc', 'MÜLLER-PC'],
    ['x\ndb-03\ty', 'db-03'],
    ['c:\\ on [srv] 1 full', '[srv] 1'],
    ['𝒳 7', '𝒳'],
  ])('stands in %j: %s', (message, name) => {
    expect(isNamedIn(message, name)).toBe(true)
  })

  it.each([
    ['db-031 is away', 'db-03'],
    ['db-03-old is away', 'db-03'],
    ['old-db-03 is away', 'db-03'],
    ['old.db-03 is away', 'db-03'],
    ['db_03', 'db'],
    ['𝒳db', 'db'],
    ['db𝒳', 'db'],
    ['anything', ''],
    ['- ***', ' *** '],
    ['', 'db-03'],
  ])('does not stand in %j: %s', (message, name) => {
    expect(isNamedIn(message, name)).toBe(false)
  })

  it('is looked for in time, whatever both are', () => {
    const from = performance.now()
    isNamedIn('a'.repeat(20_000), 'a'.repeat(199))
    expect(performance.now() - from).toBeLessThan(200)
  })
})
