// How often one address may come. Bounded, however many addresses there are.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'

/** Counts a visit; false when there were too many within a minute. */
export type Pace = (address: string) => boolean

const minuteMs = 60_000
const mostAddresses = 10_000

/** @param now - Milliseconds since 1970. */
export function createPace(perMinute: number, now: () => number): Pace {
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

const near = new BlockList()
near.addSubnet('127.0.0.0', 8)
near.addSubnet('10.0.0.0', 8)
near.addSubnet('172.16.0.0', 12)
near.addSubnet('192.168.0.0', 16)
near.addAddress('::1', 'ipv6')
near.addSubnet('fc00::', 7, 'ipv6')

/**
 * Where a request comes from. Behind a proxy on this machine or network it is what the proxy says it was asked from: the
 * last one, as those before it are anybody's word.
 */
export function addressOf({ socket, headers }: IncomingMessage): string {
  const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  if (!near.check(peer, isIPv6(peer) ? 'ipv6' : 'ipv4')) return peer
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',')
  return forwarded.split(',').at(-1)?.trim() || peer
}
