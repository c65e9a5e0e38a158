// Several people at once, below Slack: one POST each at most, and what became of every one.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createGrantAccess } from '../../src/grant/grant-access.ts'
import { createMakeWish } from '../../src/grant/make-wish.ts'
import { createOutcomeOf } from '../../src/grant/outcome-of.ts'
import { createWishOutcomes } from '../../src/grant/wish-outcomes.ts'
import type { Wish } from '../../src/grant/wish.ts'
import type { Monitor } from '../../src/monitor/client.ts'
import { connectTo, powerlessToken, startService, token } from '../monitor/setup.ts'
import { open, temporaryFile } from '../storage/files.ts'

const sender = { workspaceId: 'T1', userId: 'U1' }

async function openRoom(standIn?: Pick<Monitor, 'addUser'>) {
  const service = await startService()
  const { grants } = await open(temporaryFile())
  const monitor = standIn ?? connectTo(service.url, { budgetMs: 2000 })
  const audit = { record: async () => undefined }
  const stopping = new AbortController()
  const outcomeOf = createOutcomeOf({ grants, wait: () => delay(5) })
  const grantAccess = createGrantAccess({ grants, monitor, outcomeOf, audit })
  const makeWish = createMakeWish({ grants, grantAccess, outcomeOf, stopping: stopping.signal })
  const emails = Array.from({ length: 9 }, (_, index) => `p${index + 1}@example.com`)
  for (const email of emails) service.addUser({ email })
  const wish: Wish = {
    ...{ containerId: 12, emails, authProvider: undefined, member: true },
    permissions: ['READ', 'API'],
  }
  const asked = () => service.requests.map(({ body }) => Object(body).email)
  return { service, grants, makeWish, outcomes: createWishOutcomes({ grants, audit }), wish, stopping, asked }
}

const kinds = (told: readonly { readonly outcome: { readonly kind: string } }[]) =>
  told.map(({ outcome }) => outcome.kind)

describe('a wish for nine people', () => {
  it('is one POST each, with exactly what was asked', async () => {
    const { service, makeWish, wish, asked } = await openRoom()

    const told = await makeWish(sender, token, 'w', wish)

    expect(told).toEqual(wish.emails.map((email) => ({ email, outcome: { kind: 'granted' } })))
    expect(asked().toSorted()).toEqual(wish.emails)
    expect(service.requests[0]?.body).toEqual({
      ...{ email: 'p1@example.com', member: true, permissions: ['READ', 'API'] },
    })
  })

  it('sends nothing more when it is repeated, at the same moment or later, and tells the same', async () => {
    const { service, makeWish, wish, asked } = await openRoom()
    service.trouble.slow(20)
    service.trouble.answer(429, { times: 1 })

    const [first, second] = await Promise.all([
      makeWish(sender, token, 'w', wish),
      makeWish(sender, token, 'w', wish),
    ])
    const third = await makeWish(sender, 'another token', 'w', wish)

    expect(second).toEqual(first)
    expect(third).toEqual(first)
    expect(kinds(first).filter((kind) => kind === 'not-granted')).toHaveLength(1)
    expect(asked().toSorted()).toEqual(wish.emails)
  })

  it('is a grant like any other when it names one person', async () => {
    const { grants, makeWish, wish } = await openRoom()

    await makeWish(sender, token, 'w', { ...wish, emails: ['p1@example.com'] }, { channelId: 'C1' })

    expect(await grants.find('T1', 'w')).toMatchObject({
      ...{ channelId: 'C1', state: 'settled', request: { email: 'p1@example.com' } },
    })
  })

  it('is never told by those who tell late: that is its caller’s', async () => {
    const { grants, makeWish, wish } = await openRoom()

    await makeWish(sender, token, 'w', wish)

    expect(await grants.claimUntold(1000)).toEqual([])
  })

  it.each([
    ['401', 'unknown-token', 12, 'refused'],
    ['403', powerlessToken, 12, 'forbidden'],
    ['404', token, 99, 'not-found'],
  ])('ends with the first %s: nobody else is asked for', async (_status, withToken, containerId, code) => {
    const { makeWish, wish, asked } = await openRoom()

    const told = await makeWish(sender, withToken, 'w', { ...wish, containerId })

    expect(told[0]?.outcome).toEqual({ kind: 'not-granted', code })
    expect(kinds(told.slice(1))).toEqual(Array.from({ length: 8 }, () => 'not-sent'))
    expect(asked()).toEqual(['p1@example.com'])
  })

  it('goes on after any other answer, which is about one person or one moment', async () => {
    const { service, makeWish, wish, asked } = await openRoom()
    for (const status of [400, 429, 500, 200, 302]) service.trouble.answer(status, { times: 1 })

    const told = await makeWish(sender, token, 'w', wish)

    expect(kinds(told).toSorted()).toEqual([
      ...['granted', 'granted', 'granted', 'granted', 'not-granted', 'not-granted'],
      ...['uncertain', 'uncertain', 'uncertain'],
    ])
    expect(asked().toSorted()).toEqual(wish.emails)
  })

  it('sends the first alone, then four at a time, in the order of the wish', async () => {
    const underWay: string[][] = []
    const open = new Set<string>()
    const { makeWish, wish } = await openRoom({
      async addUser(_token, _container, { email }) {
        open.add(email)
        underWay.push([...open])
        await delay(5)
        open.delete(email)
        return { kind: 'granted' }
      },
    })

    await makeWish(sender, token, 'w', wish)

    expect(underWay.slice(0, 5).map((emails) => emails.length)).toEqual([1, 1, 2, 3, 4])
    expect(Math.max(...underWay.map((emails) => emails.length))).toBe(4)
    expect(underWay.map((emails) => emails.at(-1))).toEqual(wish.emails)
  })

  it('begins nothing more when Bellhop stops, and what was not sent is never sent', async () => {
    const { service, makeWish, wish, stopping, asked } = await openRoom()
    service.onChange(() => stopping.abort())

    const told = await makeWish(sender, token, 'w', wish)
    const again = await makeWish(sender, token, 'w', wish)

    expect(kinds(told)).toEqual(['granted', ...Array.from({ length: 8 }, () => 'not-sent')])
    expect(again).toEqual(told)
    expect(asked()).toHaveLength(1)
  })
})

describe('a wish whose sender is taken for dead', () => {
  it('is ended as it stands: the sender that comes back sends nothing more, and both tell the same', async () => {
    const { service, makeWish, outcomes, wish, asked } = await openRoom()
    const ended = Promise.withResolvers<void>()
    service.trouble.slow(50)
    const stop = service.onChange(() => {
      stop()
      ended.resolve(outcomes.conclude(sender, 'w', wish).then(() => undefined))
    })

    const told = await makeWish(sender, token, 'w', wish)
    await ended.promise

    expect(await outcomes.conclude(sender, 'w', wish)).toEqual(told)
    expect(kinds(told)).toContain('not-sent')
    expect(asked().length).toBeLessThan(9)
    expect(told.filter(({ outcome }) => outcome.kind === 'granted')).toHaveLength(asked().length)
  })

  it('is never sent when it was ended before anything of it was kept', async () => {
    const { makeWish, outcomes, wish, asked } = await openRoom()

    const ended = await outcomes.conclude(sender, 'w', wish)
    const told = await makeWish(sender, token, 'w', wish)

    expect(kinds(told)).toEqual(Array.from({ length: 9 }, () => 'not-sent'))
    expect(ended).toEqual(told)
    expect(asked()).toEqual([])
  })

  it('is not ended while something of it is under way', async () => {
    const { service, grants, makeWish, outcomes, wish } = await openRoom()
    service.trouble.slow(100)
    const sending = makeWish(sender, token, 'w', wish)
    await expect.poll(async () => (await grants.find('T1', 'w.1'))?.state).toBe('sending')

    expect(await outcomes.find(sender, 'w', wish)).toBeUndefined()
    expect(await outcomes.conclude(sender, 'w', wish)).toBeUndefined()

    const told = await sending
    expect(kinds(told)).toEqual(['granted', ...Array.from({ length: 8 }, () => 'not-sent')])
    expect(await outcomes.find(sender, 'w', wish)).toEqual(told)
  })
})
