// Several people at once, below Slack: one POST each at most, and what became of every one.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Wish } from '../../src/grant/wish.ts'
import type { House } from '../../src/house.ts'
import type { Monitor } from '../../src/monitor/client.ts'
import { leaseMs } from '../../src/work/lease.ts'
import { connectTo, powerlessToken, startService, token } from '../monitor/setup.ts'
import { concludes, makes, openSends, sender } from './send-house.ts'

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
  const wish: Wish = {
    ...{ containerId: 12, emails, authProvider: undefined, member: true },
    permissions: ['READ', 'API'],
  }
  const posts = () => service.requests.filter(({ method }) => method === 'POST')
  const asked = () => posts().map(({ body }) => Object(body).email)
  const pass = (ms: number) => {
    ahead += ms
  }
  const { wishes } = house.storage
  return { service, house, wishes, wish, stopping, asked, pass }
}

const kinds = (told: readonly { readonly outcome: { readonly kind: string } }[]) =>
  told.map(({ outcome }) => outcome.kind)

describe('a wish for nine people', () => {
  it('is one POST each, with exactly what was asked', async () => {
    const { service, house, wish, asked } = await setup()

    const told = await makes(house, token, 'w', wish)

    expect(told).toEqual(wish.emails.map((email) => ({ email, outcome: { kind: 'done' } })))
    expect(asked().toSorted()).toEqual(wish.emails)
    expect(service.requests[0]?.body).toEqual({
      ...{ email: 'p1@example.com', member: true, permissions: ['READ', 'API'] },
    })
  })

  it('sends nothing more when it is repeated, at the same moment or later, and tells the same', async () => {
    const { service, house, wish, asked } = await setup()
    service.trouble.slow(20)
    service.trouble.answer(429, { times: 1 })

    const [first, second] = await Promise.all([
      makes(house, token, 'w', wish),
      makes(house, token, 'w', wish),
    ])
    const third = await makes(house, 'another token', 'w', wish)

    expect(second).toEqual(first)
    expect(third).toEqual(first)
    expect(kinds(first).filter((kind) => kind === 'not-done')).toHaveLength(1)
    expect(asked().toSorted()).toEqual(wish.emails)
  })

  it('is a wish like any other when it names one person', async () => {
    const { house, wishes, wish, asked } = await setup()

    await makes(house, token, 'w', { ...wish, emails: ['p1@example.com'] })

    expect(await wishes.find('T1', 'w')).toMatchObject({
      ...{ channelId: 'C1', state: 'settled' },
      sends: [{ n: 1, write: { email: 'p1@example.com' }, outcome: { kind: 'done' } }],
    })
    expect(asked()).toEqual(['p1@example.com'])
  })

  it('is never told by those who tell late: that is its caller’s', async () => {
    const { house, wishes, wish } = await setup()

    await makes(house, token, 'w', wish)

    expect(await wishes.claimUntold(1000)).toEqual([])
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

  it('sends the first alone, then four at a time, in the order of the wish', async () => {
    const underWay: string[][] = []
    const open = new Set<string>()
    const { house, wish } = await setup({
      async addUser(_token, _container, { email }) {
        open.add(email)
        underWay.push([...open])
        await delay(5)
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

describe('a wish whose sender is taken for dead', () => {
  it('is ended as it stands: the sender that comes back sends nothing more, and knows what it has sent', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { service, house, wish, asked, pass } = await setup()
    const requests = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
    service.onChange(() => requests[asked().length - 1]?.resolve())
    const letFirstGo = service.trouble.hold()
    const sending = makes(house, token, 'w', wish)
    await requests[0]?.promise
    const letGo = service.trouble.hold()
    letFirstGo()
    await requests[4]?.promise
    pass(leaseMs + 1)

    const ended = await concludes(house, 'w', wish)
    letGo()
    const told = await sending

    const four = (kind: string) => Array.from({ length: 4 }, () => kind)
    expect(kinds(ended)).toEqual(['done', ...four('uncertain'), ...four('not-sent')])
    expect(kinds(told)).toEqual(['done', ...four('done'), ...four('not-sent')])
    expect(await concludes(house, 'w', wish)).toEqual(told)
    expect(asked().toSorted()).toEqual(wish.emails.slice(0, 5))
  })

  it('is never sent when it was ended before anything of it was kept', async () => {
    const { house, wish, asked } = await setup()

    const ended = await concludes(house, 'w', wish)
    const told = await makes(house, token, 'w', wish)

    expect(kinds(told)).toEqual(Array.from({ length: 9 }, () => 'not-sent'))
    expect(ended).toEqual(told)
    expect(asked()).toEqual([])
  })

  it('is waited for as long as it lives, and ended by nobody else', async () => {
    const looks: (() => void)[] = []
    const looked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const wait = () =>
      new Promise<void>((resolve) => {
        looks.push(resolve)
        looked[looks.length - 1]?.resolve()
      })
    const { service, house, wishes, wish, asked } = await setup(undefined, wait)
    const letGo = service.trouble.hold()
    const sending = makes(house, token, 'w', wish)
    await expect.poll(() => asked()).toHaveLength(1)

    const concluding = concludes(house, 'w', wish)
    await looked[0]?.promise
    looks[0]?.()
    await looked[1]?.promise
    expect(await wishes.find(sender.workspaceId, 'w')).toMatchObject({ state: 'sending' })
    letGo()
    const told = await sending
    looks[1]?.()

    expect(kinds(told)).toEqual(Array.from({ length: 9 }, () => 'done'))
    expect(await concluding).toEqual(told)
    expect(asked().toSorted()).toEqual(wish.emails)
  })
})
