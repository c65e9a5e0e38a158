// Several people at once, below Slack: one POST each at most, and what became of every one.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Access } from '../../src/grant/access.ts'
import type { House } from '../../src/house.ts'
import type { Monitor } from '../../src/monitor/client.ts'
import { leaseMs, renewMs } from '../../src/work/lease.ts'
import { connectTo, powerlessToken, startService, token } from '../monitor/setup.ts'
import { endsDue, makes, openSends } from './send-house.ts'

async function setup(standIn?: Pick<Monitor, 'addUser'>, wait?: House['wait']) {
  const service = await startService()
  const stopping = new AbortController()
  let ahead = 0
  const house = await openSends(standIn ?? connectTo(service.url, { budgetMs: 2000 }), {
    now: () => Date.now() + ahead,
    ...(wait && { wait }),
    stopping: stopping.signal,
  })
  const emails = Array.from({ length: 9 }, (_, index) => `p${index + 1}@example.com`)
  for (const email of emails) service.addUser({ email })
  const wish: Access = {
    ...{ containerId: 12, emails, authProvider: undefined, member: true },
    permissions: ['READ', 'API'],
  }
  const posts = () => service.requests.filter(({ method }) => method === 'POST')
  const asked = () => posts().map(({ body }) => Object(body).email)
  const pass = (ms: number) => {
    ahead += ms
  }
  const kept = () => house.storage.requests.find({ workspaceId: 'T1', id: 'w' })
  return { service, house, kept, wish, stopping, asked, pass }
}

const kinds = (told: readonly { readonly outcome: { readonly kind: string } }[]) =>
  told.map(({ outcome }) => outcome.kind)

describe('a request for nine people', () => {
  it('is one POST each, with exactly what was asked', async () => {
    const { service, house, wish, asked } = await setup()

    const told = await makes(house, token, 'w', wish)

    expect(told).toEqual(wish.emails.map((email) => ({ email, outcome: { kind: 'done' } })))
    expect(asked().toSorted()).toEqual(wish.emails)
    expect(service.requests[0]?.body).toEqual({
      ...{ email: 'p1@example.com', member: true, permissions: ['READ', 'API'] },
    })
  })

  it('sends nothing more when it is repeated, at the same moment or later', async () => {
    const { service, house, kept, wish, asked } = await setup()
    service.trouble.slow(20)
    service.trouble.answer(429, { times: 1 })

    await Promise.all([makes(house, token, 'w', wish), makes(house, token, 'w', wish)])
    await makes(house, 'another token', 'w', wish)

    const outcomes = (await kept())?.sends.map(({ outcome }) => outcome?.kind)
    expect(outcomes?.filter((kind) => kind === 'not-done')).toHaveLength(1)
    expect(asked().toSorted()).toEqual(wish.emails)
  })

  it.each([
    ['401', 'unknown-token', 12, 'refused'],
    ['403', powerlessToken, 12, 'forbidden'],
    ['404', token, 99, 'not-found'],
  ])('ends with the first %s: nobody else is asked for', async (_status, withToken, containerId, code) => {
    const { house, wish, asked } = await setup()

    const told = await makes(house, withToken, 'w', { ...wish, containerId })

    expect(told[0]?.outcome).toEqual({ kind: 'not-done', code })
    expect(kinds(told.slice(1))).toEqual(Array.from({ length: 8 }, () => 'not-sent'))
    expect(asked()).toEqual(['p1@example.com'])
  })

  it('goes on after any other answer, which is about one person or one moment', async () => {
    const { service, house, wish, asked } = await setup()
    for (const status of [400, 429, 500, 200, 302]) service.trouble.answer(status, { only: 'POST', times: 1 })
    service.trouble.answer(403, { only: 'GET' })

    const told = await makes(house, token, 'w', wish)

    expect(kinds(told).toSorted()).toEqual([
      ...['done', 'done', 'done', 'done', 'not-done', 'not-done'],
      ...['uncertain', 'uncertain', 'uncertain'],
    ])
    expect(asked().toSorted()).toEqual(wish.emails)
  })

  it('sends the first alone, then four at a time, in their order', async () => {
    const underWay: string[][] = []
    const open = new Set<string>()
    const { house, wish } = await setup({
      async addUser(_token, _container, { email }) {
        open.add(email)
        underWay.push([...open])
        await delay(50)
        open.delete(email)
        return { kind: 'done' }
      },
    })

    await makes(house, token, 'w', wish)

    expect(underWay.slice(0, 5).map((emails) => emails.length)).toEqual([1, 1, 2, 3, 4])
    expect(Math.max(...underWay.map((emails) => emails.length))).toBe(4)
    expect(underWay.map((emails) => emails.at(-1))).toEqual(wish.emails)
  })

  it('begins nothing more when Bellhop stops, and what was not sent is never sent', async () => {
    const { service, house, wish, stopping, asked } = await setup()
    service.onChange(() => stopping.abort())

    const told = await makes(house, token, 'w', wish)
    const again = await makes(house, token, 'w', wish)

    expect(kinds(told)).toEqual(['done', ...Array.from({ length: 8 }, () => 'not-sent')])
    expect(again).toEqual(told)
    expect(asked()).toHaveLength(1)
  })
})

describe('a request whose sender is taken for dead', () => {
  it('is ended as it stands: the sender that comes back sends nothing more, and changes nothing', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { service, house, kept, wish, asked, pass } = await setup()
    const requests = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
    service.onChange(() => requests[asked().length - 1]?.resolve())
    const letFirstGo = service.trouble.hold()
    const sending = makes(house, token, 'w', wish)
    await requests[0]?.promise
    const letGo = service.trouble.hold()
    letFirstGo()
    await requests[4]?.promise
    pass(leaseMs + 1)

    const [ended] = await endsDue(house)
    letGo()
    const told = await sending

    const four = (kind: string) => Array.from({ length: 4 }, () => kind)
    expect(ended?.sends.map(({ outcome }) => outcome?.kind)).toEqual([
      ...['done', ...four('uncertain'), ...four('not-sent')],
    ])
    expect(kinds(told)).toEqual(['done', ...four('uncertain'), ...four('not-sent')])
    expect(await kept()).toMatchObject({ isToTell: true, version: ended?.version })
    expect(asked().toSorted()).toEqual(wish.emails.slice(0, 5))
  })

  it('is left to it as long as it lives', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { service, house, kept, wish, asked, pass } = await setup()
    const letGo = service.trouble.hold()
    const sending = makes(house, token, 'w', wish)
    await expect.poll(() => asked()).toHaveLength(1)

    for (let passed = 0; passed < 3 * leaseMs; passed += renewMs) {
      const { heldUntil = 0 } = (await kept()) ?? {}
      pass(renewMs)
      vi.advanceTimersByTime(renewMs)
      await expect.poll(async () => (await kept())?.heldUntil).toBeGreaterThan(heldUntil)
      expect(await endsDue(house)).toEqual([])
    }
    letGo()

    expect(kinds(await sending)).toEqual(Array.from({ length: 9 }, () => 'done'))
  })
})
