// Every way in which a token travels, or goes astray: it must not be left anywhere but sealed.
import { describe, expect, it } from 'vitest'
import { bobToken, connects, diskFull, openWorld, type World } from '../world.ts'

const strayToken = 'stray-token-51d0c3'
const wrongToken = 'wrong-token-8ae2f7'
const malformed = 'bro ken-token-2c77é'

/** Bob types their token in all places where it does not belong. */
const astray: readonly (readonly [string, (world: World, token: string) => Promise<unknown>])[] = [
  [
    'behind /alert connect',
    ({ bob, general }, token) => bob.types(`/alert connect ${token}`, general),
  ],
  [
    'behind /alert connect:',
    ({ bob, general }, token) => bob.types(`/alert connect: ${token}`, general),
  ],
  [
    'behind a mistyped connect',
    ({ bob, general }, token) => bob.types(`/alert conect ${token}`, general),
  ],
  ['behind /alert token', ({ bob, general }, token) => bob.types(`/alert token ${token}`, general)],
  ['as an alert key', ({ bob, general }, token) => bob.types(`/alert ${token}`, general)],
  [
    'as a private alert key',
    ({ bob, general }, token) => bob.types(`/alert ${token} private`, general),
  ],
  [
    'in a link',
    ({ bob, general }, token) =>
      bob.types(`/alert https://monitor.example.com/alert/${token}`, general),
  ],
  ['beside a key', ({ bob, general }, token) => bob.types(`/alert 5HkX ${token}`, general)],
  [
    'as a container',
    ({ bob, general }, token) => bob.types(`/grant ${token} dave@example.com READ`, general),
  ],
  ['as an address', ({ bob, general }, token) => bob.types(`/grant 12 ${token} READ`, general)],
  [
    'as a flag',
    ({ bob, general }, token) => bob.types(`/grant 12 dave@example.com ${token}`, general),
  ],
  [
    'as a provider',
    ({ bob, general }, token) => bob.types(`/grant 12 dave@example.com READ via ${token}`, general),
  ],
  [
    'in a mention',
    ({ bob, slack, general }, token) =>
      bob.writes(`<@${slack.bot.userId}> connect ${token}`, general, { raw: true }),
  ],
  [
    'in a mention alone',
    ({ bob, slack, general }, token) =>
      bob.writes(`<@${slack.bot.userId}> ${token}`, general, { raw: true }),
  ],
  ['in the direct message', ({ bob }, token) => bob.writes(`connect ${token}`, bob.dm)],
  [
    'in the key’s field',
    async ({ bob, general }, token) => {
      await bob.types('/alert', general)
      await bob.seesModal('Look up an alert')
      await bob.submits({ fields: { 'Alert key': token, 'Post to': general } })
    },
  ],
  [
    'in the fields of a grant',
    async ({ bob, general, slack }, token) => {
      await bob.types('/grant', general)
      await bob.seesModal('Grant access')
      await bob.suggest('Container', token)
      await bob.submits({ fields: { Container: '12', Email: token, Role: 'Viewer' } })
      await slack.idle()
      await bob.closes()
    },
  ],
]

/** What was left of it: log, database, calls to Slack, requests to the service. */
function leftIn(world: World, token: string): readonly string[] {
  const { log, slack, service } = world
  // What people type themselves stands in the stand-in as well; what the bot sent is in its calls.
  const calls = slack.calls.map(({ method, args }) => `${method} ${JSON.stringify(args)}`)
  const acks = slack.deliveries.map(({ body }) => body)
  const asked = service.requests.map(
    ({ path, query, body }) => `${path}?${query} ${JSON.stringify(body)}`,
  )
  const views = [...new Set(slack.workspace.messages.filter(({ byBot }) => byBot))].map((one) =>
    JSON.stringify(one),
  )
  const places = {
    log: log.join('\n'),
    calls: calls.join('\n'),
    acks: acks.join('\n'),
    asked: asked.join('\n'),
    messages: views.join('\n'),
  }
  const inText = Object.entries(places).flatMap(([name, text]) =>
    text.includes(token) ? [name] : [],
  )
  return world.databaseBytes().includes(token) ? [...inText, 'database'] : inText
}

describe.each(['http', 'socket'] as const)('over %s, with LOG_LEVEL=debug', (transport) => {
  // By Socket Mode the same listeners are told; its form asks for suggestions as well.
  it.each(transport === 'http' ? astray : astray.slice(-3))(
    'a token typed %s is left nowhere',
    async (_where, type) => {
      const world = await openWorld({ transport })
      const { bob, slack, service } = world
      service.addAlert(diskFull)
      await type(world, strayToken)
      await slack.idle(100)

      expect(leftIn(world, strayToken).filter((where) => where !== 'asked')).toEqual([])

      // Somebody who has connected with it, too.
      await world.connect(bob, bobToken)
      await type(world, bobToken)
      await slack.idle(100)
      // What waits to be written down is.
      await world.bellhop.stop(2000)
      expect(leftIn(world, bobToken)).toEqual([])
    },
  )

  it('a token is left nowhere that is connected: a right one, a wrong one, one with a slip, and the one that waits as a key', async () => {
    const world = await openWorld({ transport })
    const { bob, general, slack } = world
    await bob.types('/alert connect', general)
    await bob.seesModal('Connect account')
    await bob.submits({ fields: { 'API token': malformed } })
    await seesInModal(world, 'That isn’t a token.')
    await bob.submits({ fields: { 'API token': wrongToken } })
    await seesInModal(world, 'Monitoring doesn’t accept this token')
    await bob.closes()
    await bob.types(`/alert ${bobToken}`, general)
    await connects(bob, bobToken, await bob.sees('I need your monitoring account', general))
    await bob.sees('looks like an API token', general)
    await slack.idle()
    await world.bellhop.stop(2000)

    for (const token of [bobToken, wrongToken, malformed]) expect(leftIn(world, token)).toEqual([])
  })

  it('a token is left nowhere when the service or Slack answers with what it was sent', async () => {
    const world = await openWorld({ transport })
    const { bob, general, service, slack } = world
    world.expectRefusals()
    await world.connect(bob, bobToken)
    service.addAlert(diskFull)
    const body = { error: `Authorization: Bearer ${bobToken}`, ks: bobToken }

    for (const status of [200, 400, 403, 404, 418, 500, 503]) {
      service.trouble.clear()
      service.trouble.answer(status, { body })
      await bob.types('/alert 5HkX', general)
      await slack.idle(100)
      await bob.types(`/grant 12 dave${status}@example.com READ`, general)
      await slack.idle(100)
    }
    service.trouble.clear()
    for (const method of ['chat.postMessage', 'response_url']) {
      slack.trouble.fail(
        method,
        { error: `invalid_arguments [Bearer ${bobToken}, ${slack.botToken}]` },
        { times: 2 },
      )
      await bob.types('/alert 5HkX', general)
      await slack.idle(100)
    }
    await world.bellhop.stop(2000)

    expect(leftIn(world, bobToken)).toEqual([])
  })
})

function seesInModal({ bob, slack }: World, words: string): Promise<unknown> {
  return slack.workspace.changes.until(
    () => JSON.stringify([bob.modal?.plain, bob.modal?.errors]).includes(words) || undefined,
    5000,
    () => `Bob does not see “${words}” but: ${bob.modal?.plain}`,
  )
}
