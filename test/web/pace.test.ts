// Visits of one address to the pages: how often it may come, by the clock.
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { clientAddress, createVisitLimit } from '../../src/web/address.ts'

describe('the pace of an address', () => {
  it('goes on when the clock is set back, instead of waiting until it is as late again', () => {
    let at = 1_000_000_000
    const pace = createVisitLimit(2, () => at)
    expect([1, 2, 3].map(() => pace('203.0.113.7'))).toEqual([true, true, false])
    at -= 3_600_000
    expect([1, 2, 3].map(() => pace('203.0.113.7'))).toEqual([true, true, false])
    at += 60_000
    expect(pace('203.0.113.7')).toBe(true)
  })
})

/** A request of a peer, which says that it was asked from elsewhere. */
function addressFor(peer: string, forwarded: string | undefined): string {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const request = new IncomingMessage(socket)
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
  return clientAddress(request)
}

describe('the address that a visit is counted for', () => {
  it.each([
    ['as it stands', '203.0.113.7', '203.0.113.7'],
    ['the last of several', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['with a port', '203.0.113.7:51234', '203.0.113.7'],
    ['with space around it', ' 203.0.113.7 ', '203.0.113.7'],
    ['of IPv6', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['of IPv6 in brackets', '[2001:db8:1:2::6]', '2001:db8:1:2::/64'],
    ['of IPv6 with a port', '[2001:db8:1:2::6]:1234', '2001:db8:1:2::/64'],
    ['of IPv6 in capitals, with zeros', '2001:0DB8:0001:0002:0:0:0:6', '2001:db8:1:2::/64'],
    ['of IPv6 that is short', '2001:db8::6', '2001:db8:0:0::/64'],
    ['of this machine', '::1', '0:0:0:0::/64'],
    ['of IPv4 in IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
    ['of IPv4 in IPv6, in hexadecimals', '[::FFFF:cb00:7107]:80', '203.0.113.7'],
  ])('is what a proxy beside the bot says: %s', (_how, forwarded, address) => {
    expect(addressFor('10.0.0.1', forwarded)).toBe(address)
  })

  it.each([
    ['nothing', undefined],
    ['an empty word', ''],
    ['a word', 'unknown'],
    ['a name that hides it', '_gateway'],
    ['a number that is none', '203.0.113.700'],
    ['an end without an address', '203.0.113.7,'],
    ['an address of 15 kB', '9'.repeat(15_000)],
    ['two addresses in one', '203.0.113.7 198.51.100.1'],
  ])('is the proxy’s own when it says %s', (_what, forwarded) => {
    expect(addressFor('10.0.0.1', forwarded)).toBe('10.0.0.1')
  })

  it('is short, whatever is written behind it', () => {
    expect(addressFor('10.0.0.1', `fe80::1%${'a'.repeat(15_000)}`)).toBe('fe80:0:0:0::/64')
    expect(addressFor('10.0.0.1', `203.0.113.7:${'1'.repeat(15_000)}`)).toBe('10.0.0.1')
  })

  it('is that of a network, as one home or machine has 2^64 of IPv6', () => {
    const pace = createVisitLimit(2, () => 0)
    const visits = ['::1', '::2', '::3'].map((end) => pace(addressFor(`2001:db8:1:2${end}`, undefined)))
    expect(visits).toEqual([true, true, false])
    expect(pace(addressFor('2001:db8:1:3::1', undefined))).toBe(true)
  })

  it('is the peer’s where that is no proxy beside the bot, whatever it says', () => {
    expect(addressFor('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7')
    expect(addressFor('::ffff:203.0.113.7', '198.51.100.1')).toBe('203.0.113.7')
    expect(addressFor('::ffff:127.0.0.1', '198.51.100.1')).toBe('198.51.100.1')
  })
})
