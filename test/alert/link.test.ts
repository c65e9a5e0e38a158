// Forms of links that hold no key: what is read from a link, and what is built again from its parts.
import { describe, expect, it } from 'vitest'
import { type AlertLink, buildAlertLink, keyInLink } from '../../src/alert/link.ts'

const form =
  'https://m.example.com/container/{container}/asset/{asset}/alert?condition={condition}&item={item}&alert={timestamp}'
const paged = 'https://m.example.com/app/#/asset/{asset}?alert={timestamp}&lang=en'
const inPath = 'https://m.example.com:8443/{container}/{asset}-{timestamp}/{item}'
const all: AlertLink = {
  asset: 34,
  timestamp: 1_700_000_000,
  container: 12,
  condition: 5,
  item: 'a b/ü&c',
}
const link = buildAlertLink(all, form) ?? ''

describe('a link in a form without {ks}', () => {
  it('is read as it was built, in each form', () => {
    expect(link).toBe(
      'https://m.example.com/container/12/asset/34/alert?condition=5&item=a%20b%2F%C3%BC%26c&alert=1700000000',
    )
    expect(keyInLink(link, form)).toEqual({ link: all })
    expect(keyInLink(buildAlertLink(all, inPath) ?? '', inPath)).toEqual({
      link: { ...all, condition: undefined },
    })
    const { asset, timestamp } = all
    expect(buildAlertLink(all, paged)).toBe(
      'https://m.example.com/app/#/asset/34?alert=1700000000&lang=en',
    )
    expect(keyInLink(buildAlertLink(all, paged) ?? '', paged)).toEqual({
      link: { asset, timestamp },
    })
  })

  it.each([
    [
      'with parameters in another order, and others between',
      '/container/12/asset/34/alert?alert=1700000000&tab=x&item=i',
    ],
    [
      'with a slash, and a place on the page',
      '/container/12/asset/34/alert/?alert=1700000000&item=i#history',
    ],
    ['with capitals and zeros', '/Container/12/ASSET/34/alert?alert=01700000000&item=i'],
    ['with a plus for a blank', '/container/12/asset/34/alert?item=i&alert=1700000000&condition='],
  ])('is read %s', (_, path) => {
    const read = keyInLink(`https://m.example.com${path}`, form)
    expect(read).toEqual({
      link: { asset: 34, timestamp: 1_700_000_000, container: 12, item: 'i' },
    })
  })

  it.each([
    ['without the time', '/container/12/asset/34/alert?condition=5'],
    ['with a time that is none', '/container/12/asset/34/alert?alert=soon'],
    ['with an asset that is no number', '/container/12/asset/3x/alert?alert=1'],
    ['with an asset that leads elsewhere', '/container/12/asset/..%2F..%2Falert/alert?alert=1'],
    ['with more in its path', '/container/12/asset/34/alert/more?alert=1'],
    ['with what is not text', '/container/12/asset/%ff/alert?alert=1'],
    ['that is very long', `/container/12/asset/34/alert?alert=1&item=${'x'.repeat(2_000)}`],
  ])('is none %s', (_, path) => {
    expect(keyInLink(`https://m.example.com${path}`, form)).toHaveProperty('problem')
  })

  it.each([
    'm.example.com.evil.example',
    'evil.example/m.example.com',
    'm.example.com:8443',
    'm.example.com@evil.example',
  ])('is none at %s', (host) => {
    expect(keyInLink(link.replace('m.example.com', host), form)).toHaveProperty('problem')
  })

  it('is built from its parts alone, without parameters that are not known, and not at all without a part of its path', () => {
    const { asset, timestamp } = all
    expect(buildAlertLink({ asset, timestamp, container: 12 }, form)).toBe(
      'https://m.example.com/container/12/asset/34/alert?alert=1700000000',
    )
    expect(buildAlertLink({ asset, timestamp }, form)).toBeUndefined()
    expect(buildAlertLink({ ...all, item: '{asset}&alert=1#{timestamp}' }, form)).toContain(
      'item=%7Basset%7D%26alert%3D1%23%7Btimestamp%7D&alert=1700000000',
    )
  })
})
