// Wishes that are asked twice, alone and in lists: what one of them sends, the other is told, and nothing is sent twice.

import { describe, expect, it } from 'vitest'
import { grantFollowUps } from '../../src/grant/follow-ups.ts'
import { resultsOf, type Wish } from '../../src/grant/wish.ts'
import type { WriteResult } from '../../src/monitor/client.ts'
import type { SendOutcome } from '../../src/send/outcome.ts'
import type { SendRoom } from '../../src/send/room.ts'
import { sendWish } from '../../src/send/send.ts'
import { noteTold } from '../../src/send/telling.ts'
import type { KeptWish } from '../../src/send/wishes.ts'
import { followedUp, newWish, openSendRoom, sender } from './send-room.ts'

const seconds = 1_000
const forbidden: WriteResult = { kind: 'not-done', code: 'forbidden' }
const refused: WriteResult = { kind: 'not-done', code: 'refused' }

function wishFor(...names: readonly string[]): Wish {
  const emails = names.map((name) => `${name}@example.com`)
  return { containerId: 12, emails, authProvider: undefined, member: false, permissions: ['READ'] }
}

/** A service that answers when it is told to. */
async function openRoom() {
  let now = 1_700_000_000_000
  const stopping = new AbortController()
  const posts: string[] = []
  const arrived = new Map<string, PromiseWithResolvers<void>>()
  const answers = new Map<string, PromiseWithResolvers<WriteResult>>()
  const of = <T>(all: Map<string, PromiseWithResolvers<T>>, name: string) => {
    const one = all.get(name) ?? Promise.withResolvers<T>()
    all.set(name, one)
    return one
  }
  const room = await openSendRoom(
    {
      async addUser(_token, _containerId, { email }) {
        const name = email.replace('@example.com', '')
        posts.push(name)
        of(arrived, name).resolve()
        return of(answers, name).promise
      },
    },
    { now: () => now, stopping: stopping.signal },
  )
  async function send(id: string, wish: Wish) {
    await room.wishes.keep({ ...newWish(id, wish), isToldElsewhere: false })
    const sent = await sendWish(room, sender, 'token', id, { askedAfter: 0 })
    if (sent.kind !== 'settled') throw new Error(`${id} is ${sent.kind}`)
    return { ...sent, kinds: (resultsOf(sent.wish) ?? []).map(({ outcome }) => outcome.kind) }
  }
  return {
    ...{ room, stopping, posts, send },
    arrives: (name: string) => of(arrived, name).promise,
    answer: (name: string, result: WriteResult) => of(answers, name).resolve(result),
    pass(ms: number) {
      now += ms
    },
  }
}

describe('a list', () => {
  it('that is asked again while the first is still under way, long after some of it was sent, is sent once', async () => {
    const { room, posts, send, arrives, answer, pass } = await openRoom()
    answer('ann', { kind: 'done' })
    const first = send('first', wishFor('ann', 'ben'))
    await arrives('ben')
    pass(11 * seconds)
    await room.wishes.renew('T1', 'first', 12 * seconds)

    const second = send('second', wishFor('ann', 'ben'))
    answer('ben', { kind: 'done' })

    expect(await second).toMatchObject({ isJoined: true, wish: { id: 'first' } })
    expect((await first).kinds).toEqual(['done', 'done'])
    expect(posts).toEqual(['ann', 'ben'])
  })

  it('that is asked again right after the service refused the container sends nothing, and says the same', async () => {
    const { posts, send, answer, pass } = await openRoom()
    answer('cat', forbidden)
    const first = await send('first', wishFor('cat', 'dan', 'eve'))
    pass(2 * seconds)

    const second = await send('second', wishFor('cat', 'dan', 'eve'))

    expect(first.kinds).toEqual(['not-done', 'not-sent', 'not-sent'])
    expect(second).toMatchObject({ isJoined: true, wish: { id: 'first' }, kinds: first.kinds })
    expect(posts).toEqual(['cat'])
  })
})

describe.each([
  ['403', forbidden],
  ['401', refused],
])('one person of a list that ends with %s before their turn', (_code, end) => {
  it('and was asked for alone meanwhile, is sent alone, and told what the service says', async () => {
    const { room, posts, send, arrives, answer } = await openRoom()
    const list = send('list', wishFor('fay', 'gus'))
    await arrives('fay')
    const alone = send('alone', wishFor('gus'))
    await joins(room, 'alone')
    answer('gus', end)

    answer('fay', end)

    expect((await list).kinds).toEqual(['not-done', 'not-sent'])
    expect((await alone).wish.sends).toMatchObject([{ outcome: end, isJoined: false }])
    expect(posts).toEqual(['fay', 'gus'])
  })
})

describe('a wish for one person', () => {
  it('is sent though Bellhop is about to stop: it waits for what is under way', async () => {
    const { stopping, posts, send, answer } = await openRoom()
    answer('hal', { kind: 'done' })
    stopping.abort()

    expect((await send('one', wishFor('hal'))).kinds).toEqual(['done'])
    expect(posts).toEqual(['hal'])
  })
})

describe('one person of a list that Bellhop stops', () => {
  it('and was asked for alone meanwhile, is sent all the same', async () => {
    const { room, stopping, posts, send, arrives, answer } = await openRoom()
    const list = send('list', wishFor('mia', 'ned'))
    await arrives('mia')
    const alone = send('alone', wishFor('ned'))
    await joins(room, 'alone')
    answer('ned', { kind: 'done' })

    stopping.abort()
    answer('mia', { kind: 'done' })

    expect((await list).kinds).toEqual(['done', 'not-sent'])
    expect(await alone).toMatchObject({ isJoined: false, kinds: ['done'] })
    expect(posts).toEqual(['mia', 'ned'])
  })
})

describe('a wish that waits for an equal one', () => {
  it('is told by others when they have ended it meanwhile, and not once more', async () => {
    const { room, arrives, answer, send, pass } = await openRoom()
    const first = send('first', wishFor('ida'))
    await arrives('ida')
    await room.wishes.keep({ ...newWish('second', wishFor('ida')), isToldElsewhere: false })
    const second = sendWish(room, sender, 'token', 'second', { askedAfter: 0 })
    await joins(room, 'second')
    pass(13 * seconds)
    await room.wishes.endLapsed()
    answer('ida', { kind: 'done' })

    await first.catch(() => undefined)
    expect(await second).toMatchObject({ kind: 'repeated' })
  })

  it('and whose process dies is not told late: who sent the equal one is told of that', async () => {
    const { room, arrives, answer, send, pass } = await openRoom()
    const first = send('first', wishFor('joe'))
    await arrives('joe')
    await room.wishes.keep({ ...newWish('second', wishFor('joe')), isToldElsewhere: false })
    await room.wishes.begin(sender, 'second', { leaseMs: 12 * seconds, askedAfter: 0 })
    const key = { workspaceId: 'T1', wishId: 'second', n: 1 }
    await room.sends.begin(sender, key, { leaseMs: 12 * seconds, joinableMs: 10 * seconds })
    answer('joe', { kind: 'done' })
    await first
    await room.wishes.told(await kept(room.wishes.find('T1', 'first')))
    pass(13 * seconds)

    await room.wishes.endLapsed()

    expect(await kept(room.wishes.find('T1', 'second'))).toMatchObject({ state: 'settled' })
    expect(await room.wishes.claimUntold(12 * seconds)).toEqual([])
  })
})

describe('a doubt that somebody was told through an equal wish', () => {
  it('gives way to the truth for all whom the list is for, each counted once', async () => {
    const { room, arrives, answer, send, pass } = await openRoom()
    const counted: (readonly [string, string])[] = []
    const observer = {
      told: ({ kind }: SendOutcome, when: string) => void counted.push([kind, when]),
    }
    const { log } = room
    const followUps = followedUp(
      grantFollowUps({
        audit: { record: async () => undefined },
        observer,
        log,
        settings: { roles: {}, authProviders: [] },
        notice: {
          people: { in: () => ({ memberWith: async () => undefined, nameOf: async () => undefined }) },
          scopes: { in: () => ({ isOn: async () => false }) },
          outbound: { in: () => ({ post: () => Promise.reject(new Error('nobody is told')) }) },
          beside: (work) => work(),
          log,
        },
      }),
    )
    answer('kim', { kind: 'done' })
    const list = send('list', wishFor('kim', 'lea'))
    await arrives('lea')
    // Its sender seems dead, and lives.
    pass(13 * seconds)
    await room.wishes.endLapsed()
    const alone = await send('alone', wishFor('lea'))
    expect(alone.kinds).toEqual(['uncertain'])

    answer('lea', { kind: 'done' })
    const { wish, corrects } = await list
    expect(wish.sends.map(({ wasDoubted }) => wasDoubted)).toEqual([false, true])
    await noteTold({ ...room, followUps }, wish, corrects ? 'corrected' : 'at_once')

    expect(counted).toEqual([
      ['done', 'at_once'],
      ['done', 'at_once'],
    ])
  })
})

/** Waits until the first send of a wish has joined an equal one. */
function joins({ wishes }: SendRoom, id: string): Promise<void> {
  return expect.poll(async () => (await wishes.find('T1', id))?.sends[0]?.isJoined).toBe(true)
}

/** It is kept. */
async function kept(found: Promise<KeptWish | undefined>): Promise<KeptWish> {
  const wish = await found
  if (wish === undefined) throw new Error('it is not kept')
  return wish
}
