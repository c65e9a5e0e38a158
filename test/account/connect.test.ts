import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { quickMs } from '../../src/account/listeners.ts'
import { withAlert } from '../act/on-card.ts'
import { openFile } from '../database-folder.ts'
import { followed, openCustomer } from '../follow/follow.ts'
import {
  aliceToken,
  bobToken,
  connects,
  diskFull,
  type World,
  type WorldOptions,
} from '../world.ts'

const minutes = 60_000
const never = new Promise<void>(() => undefined)

const gives = (person: World['alice'], token: string) =>
  person.submits({ fields: { 'API token': token } })

async function modalSays(person: World['alice'], words: string | RegExp) {
  await expect.poll(() => person.modal?.plain, { timeout: 30_000, interval: 5 }).toMatch(words)
}

/** The message that asked to connect; it goes once what waited has gone on. */
async function isTakenAway(person: World['alice'], { general }: World) {
  const isThere = () =>
    person.messages(general).some(({ plain }) => plain.includes('I need your monitoring account'))
  await expect.poll(isThere, { timeout: 30_000, interval: 5 }).toBe(false)
}

/** Bob, who has no account, asks for an alert and opens the modal. */
async function bobAsks(options?: WorldOptions) {
  const { world, bob, general } = await withAlert(options)
  await bob.types('/alert 5HkX', general)
  await bob.presses('Connect account', await bob.sees('I need your monitoring account', general))
  return { ...world, world, modal: await bob.seesModal('Connect account') }
}

describe('somebody without an account', () => {
  it('is asked to connect, privately, and what they asked goes on by itself', async () => {
    const { world, alice, bob, general, service, modal } = await bobAsks()
    expect(modal.labels).toEqual(['API token'])
    await alice.doesNotSee('I need your monitoring account', general)

    await gives(bob, bobToken)

    const card = await alice.sees('Disk full', general)
    expect(card.plain).toContain('asked by bob')
    await isTakenAway(bob, world)
    // With a key that cannot exist the token was tried, and then it was looked up.
    const ofBob = service.requests.filter(({ token }) => token === 'bob')
    expect(ofBob.map(({ path }) => path)).toEqual(['/alert/bellhop-tries-a-token', '/alert/5HkX'])
  })

  it('is told what cannot be a token, and starts with an empty field after one was refused, as Slack would keep it otherwise', async () => {
    const { world, bob, service } = await bobAsks()
    const before = service.requests.length
    await gives(bob, 'two words')
    expect(bob.modal?.errors['API token']).toContain('That isn’t a token.')
    expect(service.requests).toHaveLength(before)

    for (const wrong of ['wrong', 'wrong-again']) {
      await gives(bob, wrong)
      await modalSays(bob, 'Monitoring doesn’t accept this token (401)')
      expect(bob.modal?.values).toEqual({ 'API token': '' })
    }
    await gives(bob, bobToken)

    await bob.sees('asked by bob', world.general)
  })

  it('finds the form closed once the token is tried quickly, as what they asked for is there to read', async () => {
    const { bob, general, slack } = await bobAsks({
      wait: (ms) => (ms === quickMs ? never : delay(Math.min(ms, 10))),
    })

    await gives(bob, bobToken)

    expect(bob.modal).toBeUndefined()
    await bob.sees('asked by bob', general)
    await slack.idle()
    expect(slack.calls.filter(({ method }) => method === 'views.update')).toHaveLength(0)
  })

  it('keeps nothing when the service does not answer', async () => {
    const { bob, service, general } = await bobAsks({ budgetMs: 200 })
    service.trouble.hang()

    await gives(bob, bobToken)
    await modalSays(bob, 'isn’t responding, so I couldn’t test the token')
    service.trouble.clear()
    await bob.closes()
    await bob.types('/alert 5HkX', general)

    await bob.sees('I need your monitoring account', general)
  })

  it.each([
    [403, '(403)'],
    [404, undefined],
    [500, 'couldn’t test the token yet'],
  ])('keeps the token when the service answers %i', async (status, words) => {
    const { world, bob, service, general } = await bobAsks({ budgetMs: 300 })
    service.trouble.answer(status)

    await gives(bob, bobToken)
    if (words !== undefined) {
      await modalSays(bob, words)
      await bob.closes()
    }
    await world.slack.idle()
    service.trouble.clear()
    await bob.types('/alert 5HkX', general)

    await bob.sees('Disk full', general)
  })

  it('whose command waited longer than a quarter of an hour is asked to ask again', async () => {
    const { alice, bob, general, clock } = await bobAsks()
    clock.advance(16 * minutes)

    await gives(bob, bobToken)

    await modalSays(bob, 'Connected. Your request waited too long, so ask again.')
    await alice.doesNotSee('Disk full', general)
  })

  it('is still waited for after a restart', async () => {
    const { world, bob, general } = await withAlert()
    await bob.types('/alert 5HkX', general)
    const prompt = await bob.sees('I need your monitoring account', general)
    await world.restart()

    await connects(bob, bobToken, prompt)

    await bob.sees('Disk full', general)
  })
})

describe('while a token is being tried', () => {
  it('the modal says so, and closing it loses nothing: what was asked goes on', async () => {
    const { world, bob, general, service } = await bobAsks()
    world.expectRefusals()
    service.trouble.slow(100)
    const delivery = await gives(bob, bobToken)
    expect(delivery.body).toContain('Checking…')
    expect(delivery.body).toContain(
      'If nothing changes here for half a minute, close this and try again.',
    )

    await bob.closes()

    await bob.sees('Disk full', general)
    await isTakenAway(bob, world)
  })

  it('closing the modal does not hide that the token was refused', async () => {
    const { world, bob, service } = await bobAsks()
    world.expectRefusals()
    service.trouble.slow(100)
    await gives(bob, 'wrong')

    await bob.closes()

    await bob.sees('Not connected. Monitoring doesn’t accept this token', bob.dm)
  })
})

describe('/alert disconnect', () => {
  it('forgets the token at once, and the answers that were read with it', async () => {
    const { alice, general, databaseBytes } = await withAlert()
    await alice.types('/alert 5HkX', general)
    await alice.sees('Disk full', general)

    await alice.types('/alert disconnect', general)
    await alice.sees('Bellhop deleted your token', general)
    await alice.types('/alert 5HkX private', general)

    await alice.sees('I need your monitoring account', general)
    expect(databaseBytes().includes(aliceToken)).toBe(false)
  })

  it('says what stops with it', async () => {
    const world = await openCustomer()
    const { alice, general, service } = world
    service.addAlert(diskFull)
    await followed(world)
    await alice.types('/alert 5HkX watch', general)
    await alice.sees('alice · checked', general)

    await alice.types('/alert disconnect', general)

    const { plain } = await alice.sees('I stopped watching 1 alert.', general)
    expect(plain).toContain('I stopped following Customer 1 (12) in #general.')
  })
})

describe('a person’s account', () => {
  it('stays when something else of theirs changes, and cannot be used by somebody to whom its row is copied', async () => {
    const { world, alice, bob, general, slack } = await withAlert()
    const user = slack.userPayload(alice.member)

    await slack.event({ type: 'user_change', user: { ...user, deleted: false } })
    await slack.idle()
    // Past the bot, as somebody with access to the file could.
    openFile(world.env.DATABASE_URL)
      .prepare('insert into accounts select workspace_id, ?, token, kept_at from accounts')
      .all(bob.id)
    await alice.types('/alert 5HkX private', general)
    await bob.types('/alert 5HkX', general)

    await alice.sees('Disk full', general)
    await bob.sees('I need your monitoring account', general)
  })
})
