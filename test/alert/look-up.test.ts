import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { quickMs } from '../../src/account/listeners.ts'
import { send } from '../signed-request.ts'
import { openWorld, type World, type WorldOptions } from '../world.ts'

/** The form is never in a hurry: what is checked is checked before it is answered. */
const withTime = (ms: number) =>
  ms === quickMs ? new Promise<void>(() => {}) : delay(Math.min(ms, 10))

const diskFull = {
  ks: '5HkX',
  message: 'Disk /var on db-03 is 91 % full',
  severity: 4,
  timestamp: 1_700_000_000,
} as const

const commented = {
  ...diskFull,
  actions: [{ kind: 'Comment', timestamp: 1_700_000_060, data: { message: 'looking' } }],
}

/** Its one alert is `diskFull`. */
async function open(options?: WorldOptions) {
  const world = await openWorld(options)
  world.service.addAlert(diskFull)
  return world
}

describe('/alert <key>', () => {
  it('posts a card in the channel and the history in its thread', async () => {
    const { alice, general, service } = await openWorld()
    const alert = service.addAlert({
      ...diskFull,
      ownerId: 9,
      actions: [
        {
          kind: 'Assign',
          timestamp: 1_700_000_060,
          data: { userId: 7, ownerId: 9, message: 'yours' },
        },
        { kind: 'Comment', timestamp: 1_700_000_120, data: { userId: 9, message: 'looking' } },
      ],
    })
    alert.hit({ message: 'Disk /var on db-03 is 97 % full', severity: 2, timestamp: 1_700_000_300 })

    await alice.types('/alert 5HkX', general)

    const card = await alice.sees('97 % full', general)
    expect(card.plain.split('\n')).toEqual([
      '🔴 Disk /var on db-03 is 97 % full',
      'CRITICAL, was WARNING · opened 2023-11-14 22:13 UTC · last seen 2023-11-14 22:18 UTC · assigned',
      '“Disk /var on db-03 is 91 % full” when it opened',
      '[Take over] [Close alert] [Watch] [… Refresh / Assign to somebody / Comment / Grant access / Open in monitoring]',
      expect.stringMatching(/^5HkX · asked by alice · \d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
    ])
    expect(card.urlOf('Open in monitoring')).toBe('https://monitor.example.com/alert/5HkX')
    expect(card.text).toMatch(
      /^CRITICAL, was WARNING: Disk \/var on db-03 is 97 % full\nopened \d+ days( \d+ h)? ago, last seen \d+ days( \d+ h)? ago, assigned\nKey 5HkX$/,
    )
    const history = await alice.sees('History', card)
    expect(history.plain).toMatch(/History · 2 actions/)
    expect(history.plain).toMatch(
      /Somebody assigned it: “yours”[\s\S]*Somebody commented: “looking”/,
    )
  })

  it('pings nobody, whatever the alert says', async () => {
    const { alice, general, service, slack } = await openWorld()
    service.addAlert({
      ...diskFull,
      message: '<!channel> <@U012345> @here *bold* `code` <https://evil.example.com|click>',
      actions: [
        { kind: 'Comment', timestamp: 1_700_000_060, data: { message: '<!everyone> @channel' } },
      ],
    })

    await alice.types('/alert 5HkX', general)

    const card = await alice.sees('<!channel> <@U012345> @here *bold* `code`', general)
    await alice.sees('<!everyone> @channel', card)
    expect(slack.pings).toEqual([])
  })
})

describe('what the service answers', async () => {
  const { alice, service, slack } = await openWorld({
    budgetMs: 500,
    env: { RATE_PER_MINUTE: '0' },
    until: afterAll,
  })
  service.addAlert(diskFull)
  const newChannel = () => slack.addChannel({ name: 'new', members: [alice], botIsMember: true })

  it.each([
    [400, 'There’s no alert'],
    [401, 'Monitoring no longer accepts your token'],
    [403, 'lacks API or READ'],
    [404, 'There’s no alert'],
    [429, 'is busy or has a fault'],
    [503, 'is busy or has a fault'],
    [204, 'in a way I don’t understand'],
    [302, 'in a way I don’t understand'],
  ])('%i is told to the asker alone, in a sentence', async (status, sentence) => {
    onTestFinished(() => service.trouble.clear())
    const channel = newChannel()
    service.trouble.answer(status, { only: 'GET' })

    await alice.types('/alert 5HkX', channel)

    const answer = await alice.sees(sentence, channel)
    expect(answer.isEphemeral).toBe(true)
  })
})

describe('where a card lands', () => {
  it('over the response url where the bot is not a member, with the line that invites it', async () => {
    const { alice, bob, ops, service } = await openWorld()
    service.addAlert(commented)

    await alice.types('/alert 5HkX', ops)

    const card = await bob.sees('91 % full', ops)
    expect(card.isEphemeral).toBe(false)
    expect(card.plain).toContain('“looking”')
    expect(card.plain).toContain('/invite @Bellhop')
  })

  it('seen by the asker alone when the channel cannot be posted in', async () => {
    const { alice, bob, ops, slack, expectRefusals } = await open()
    expectRefusals()
    slack.trouble.fail('response_url', { status: 500 }, { times: 1 })

    await alice.types('/alert 5HkX', ops)

    const card = await alice.sees('91 % full', ops)
    expect(card.isEphemeral).toBe(true)
    await bob.doesNotSee('91 % full', ops)
  })

  it('in a direct message when nothing else works', async () => {
    const { alice, ops, slack, expectRefusals } = await open()
    expectRefusals()
    slack.trouble.fail('response_url', { status: 500 }, { times: 2 })

    await alice.types('/alert 5HkX', ops)

    const card = await alice.sees('91 % full', alice.dm)
    await alice.sees('No actions on this alert yet', card)
  })

  it.each<[string, (trouble: World['slack']['trouble']) => unknown]>([
    ['answers 500', (trouble) => trouble.fail('chat.postMessage', { status: 500 })],
    ['breaks the connection', (trouble) => trouble.cut('chat.postMessage')],
  ])('in one message with its history, once, where Slack %s', async (_, fails) => {
    const { alice, general, service, slack, expectRefusals } = await openWorld()
    expectRefusals()
    service.addAlert(commented)
    fails(slack.trouble)

    await alice.types('/alert 5HkX', general)

    expect((await alice.sees('91 % full', general)).plain).toContain('“looking”')
    await slack.idle()
    expect(alice.messages(general)).toHaveLength(1)
  })

  it('as late as Slack asks for (429), once', async () => {
    const { alice, general, slack, waits, expectRefusals } = await open()
    expectRefusals()
    for (const method of ['chat.postMessage', 'response_url'])
      slack.trouble.rateLimit(method, { retryAfterSeconds: 2, times: 1 })

    await alice.types('/alert 5HkX', general)
    await alice.sees('No actions', await alice.sees('91 % full', general))
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('✅ Granted', general)

    await slack.idle()
    expect(alice.messages(general)).toHaveLength(2)
    expect(waits.filter((ms) => ms === 2_000)).toHaveLength(2)
  })

  it('as a sentence that says everything, where Slack rejects its blocks', async () => {
    const { alice, general, slack, expectRefusals } = await open()
    expectRefusals()
    slack.trouble.fail('chat.postMessage', { error: 'invalid_blocks' }, { times: 1 })

    await alice.types('/alert 5HkX', general)

    const card = await alice.sees('91 % full', general)
    expect(card.blocks).toEqual([])
    const [, again] = slack.calls.filter(({ method }) => method === 'chat.postMessage')
    expect(again?.args).not.toHaveProperty('blocks')
    await alice.sees('No actions', card)
  })

  it('never at an address that is not Slack’s, whatever a payload names', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    const { payload } = await alice.types('/alert watches', general)
    await alice.sees('aren’t watching', general)
    const before = service.requests.length

    const forged = { ...payload, trigger_id: 'another', response_url: `${service.url}/anything` }
    await send(world, { body: String(new URLSearchParams(forged)) })
    await alice.sees('aren’t watching', alice.dm)

    expect(service.requests).toHaveLength(before)
  })
})

describe('/alert <key> private', () => {
  it('shows card and history to the asker alone, until they share it in the channel, read anew', async () => {
    const { alice, bob, general, service } = await openWorld()
    const alert = service.addAlert(commented)
    await alice.types('/alert 5HkX private', general)
    const card = await alice.sees('91 % full', general)
    expect(card.isEphemeral).toBe(true)
    expect(card.plain).toContain('“looking”')
    await bob.doesNotSee('91 % full', general)
    alert.hit({ message: 'Disk /var on db-03 is 99 % full', severity: 1 })

    await alice.presses('Share in channel', card)

    const shared = await bob.sees('99 % full', general)
    expect(shared.isEphemeral).toBe(false)
    expect(shared.buttons).not.toContain('Share in channel')
    await bob.sees('“looking”', shared)
  })
})

describe('/alert', () => {
  it('posts to the direct message of two people that was chosen, and to nobody’s with the bot', async () => {
    const { alice, bob, general, slack } = await open({ wait: withTime })
    const direct = slack.directMessage(alice, bob)

    await alice.types('/alert', general)
    await alice.seesModal('Look up an alert')
    await alice.submits({ fields: { 'Alert key': '5HkX', 'Post to': direct } })

    await alice.sees(/91 % full[\s\S]*No actions on this alert yet/, direct)
    await alice.seesNoModal()
    await slack.idle()
    expect(bob.messages(bob.dm)).toEqual([])
  })
})
