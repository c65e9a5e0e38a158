// Client addresses, and how often each may come.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net'

const near = new BlockList()
near.addSubnet('127.0.0.0', 8)
near.addSubnet('10.0.0.0', 8)
near.addSubnet('172.16.0.0', 12)
near.addSubnet('192.168.0.0', 16)
near.addAddress('::1', 'ipv6')
near.addSubnet('fc00::', 7, 'ipv6')

/**
 * The client's address; short, whatever the request says. Behind a proxy on this machine or network, it is the last one
 * that the proxy names: anybody could have written the ones before. Anything there that is no address is ignored.
 *
 * For IPv6 it is the network, as in `2001:db8:1:2::/64`: anyone with an address there has 2^64 of them.
 * Source: RFC 4291, 2.5.4.
 */
export function clientAddress({ socket, headers }: IncomingMessage): string {
  const peer = plain(socket.remoteAddress ?? '') ?? ''
  if (!near.check(peer, isIPv6(peer) ? 'ipv6' : 'ipv4')) return networkOf(peer)
  const said = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').at(-1) ?? ''
  return networkOf(plain(withoutPort(said.trim())) ?? peer)
}

/** Some proxies add the port, and then put IPv6 in brackets. */
function withoutPort(said: string): string {
  const [, inBrackets, ipv4] = /^(?:\[(.*)\]|([\d.]+))(?::\d{1,5})?$/.exec(said) ?? []
  return inBrackets ?? ipv4 ?? said
}

/**
 * The address in its shortest spelling, without a zone; IPv4 within IPv6 as IPv4. Undefined for any other text.
 * It is a copy: a slice of a header would keep all of that header in memory.
 */
function plain(address: string): string | undefined {
  if (isIP(address) === 0) return undefined
  const written = new SocketAddress({ address, family: isIPv6(address) ? 'ipv6' : 'ipv4' }).address
  const ipv4 = written.replace(/^::ffff:/, '')
  return isIPv4(ipv4) ? ipv4 : written
}

function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [front, back] = address.split('::')
  const before = groupsIn(front)
  const after = groupsIn(back)
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`
}

function groupsIn(part = ''): readonly string[] {
  return part === '' ? [] : part.split(':')
}

/**
 * Counts a visit of an address; false if there were too many within a minute. Bounded, however many addresses there are.
 */
export type VisitLimit = (address: string) => boolean

const minuteMs = 60_000
const mostAddresses = 10_000

/** @param now - Milliseconds since 1970. */
export function createVisitLimit(perMinute: number, now: () => number): VisitLimit {
  const visits = new Map<string, { readonly since: number; count: number }>()
  return (address) => {
    const at = now()
    const known = visits.get(address)
    if (known !== undefined && Math.abs(at - known.since) < minuteMs) return ++known.count <= perMinute
    visits.delete(address)
    visits.set(address, { since: at, count: 1 })
    const [oldest] = visits.keys()
    if (visits.size > mostAddresses && oldest !== undefined) visits.delete(oldest)
    return true
  }
}
