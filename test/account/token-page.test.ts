// With PUBLIC_URL, tokens are given on a one-time page and never pass through Slack.
import { describe, expect, it } from 'vitest'
import {
  aliceToken,
  bobToken,
  diskFull,
  openWorld,
  type World,
  type WorldOptions,
} from '../world.ts'
import { isTakenAway, linkAfter, openPublicWorld, opensLink } from './on-token-page.ts'

const minutes = 60_000
const isOver = 'This link doesn’t work'
const isBob = 'You’re connected as @bob in the Slack workspace Playground.'

/** Bob, who has no account, asks for an alert. */
async function bobAsks(options: WorldOptions = {}) {
  const world = await openPublicWorld(options)
  const { bob, general, service } = world
  service.addAlert(diskFull)
  await bob.types('/alert 5HkX', general)
  const prompt = await bob.sees('I need your monitoring account', general)
  return { ...world, world, prompt, link: await linkAfter(world, bob, prompt) }
}

describe('somebody without an account', () => {
  it('gives their token on the page, which shows their address whatever they call themselves, and what they asked for goes on in Slack by itself', async () => {
    const { world, alice, bob, general, prompt, link } = await bobAsks()
    Object.assign(bob.member, { realName: 'alice@example.com (acme.slack.com), your own account' })
    await alice.doesNotSee('I need your monitoring account', general)
    expect(bob.modal?.plain).toContain(
      'The link is only for you, so don’t pass it on. It expires after ten minutes.',
    )

    const page = await opensLink(link)
    expect(page.text).toContain(
      'This connects the Slack account bob@example.com (@bob) in the Slack workspace Playground. If this isn’t you, close this page: whoever sent you the link would act with your token.',
    )
    const connected = await page.sends(bobToken)

    expect(connected.status).toBe(200)
    expect(connected.text).toContain(
      `${isBob} I’m finishing what you asked for. Back to Slack You can close this page.`,
    )
    expect(connected.html).toContain('<a href="slack://open?team=T')
    expect((await alice.sees('Disk full', general)).plain).toContain('asked by bob')
    // The used link does not stand there any more.
    await isTakenAway(prompt)
    await expect.poll(() => bob.modal?.plain).toContain('Connected.')
    expect(world.log.join()).not.toContain('bob@example.com')
  })

  it('reads why a token was not kept, above the form, and tries again', async () => {
    const { alice, general, service, link } = await bobAsks()
    const page = await opensLink(link)
    const before = service.requests.length

    const notOne = await page.sends('two words')
    expect(notOne.text).toContain('Not connected. That isn’t a token.')
    expect((await notOne.sends('x'.repeat(3001))).text).toContain('That isn’t a token.')
    expect(service.requests).toHaveLength(before)

    const wrong = await notOne.sends('wrong')
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('Not connected. Monitoring doesn’t accept this token (401).')
    expect(wrong.html).not.toContain('value="wrong"')
    await wrong.sends(bobToken)
    await alice.sees('Disk full', general)
  })
})

describe('a link', () => {
  it('connects once, though two send it at the same time', async () => {
    const { alice, general, link } = await bobAsks()
    const page = await opensLink(link)

    const sent = await Promise.all([bobToken, aliceToken].map((token) => page.sends(token)))

    expect(sent.map(({ status }) => status).sort()).toEqual([200, 404])
    await alice.sees('Disk full', general)
  })

  it('works once: the same form sent again connects nothing, and looks like one that never was', async () => {
    const { world, bob, general, service, link } = await bobAsks()
    const page = await opensLink(link)
    await page.sends(bobToken)
    await bob.sees('Disk full', general)
    await world.slack.idle()
    const before = service.requests.length

    for (const again of [await page.sends(aliceToken), await opensLink(link)]) {
      expect(again.status).toBe(404)
      expect(again.text).toContain(isOver)
      expect(again.html).not.toMatch(/bob|Baker|Playground|team=T/i)
    }
    expect(service.requests).toHaveLength(before)
  })

  it('is not used up by being opened, however often: previews open it too', async () => {
    const { alice, general, link } = await bobAsks()
    for (let times = 0; times < 4; times += 1) {
      expect((await opensLink(link, { method: 'HEAD' })).text).toBe('')
      expect((await opensLink(link)).status).toBe(200)
    }
    await (await opensLink(link)).sends(bobToken)
    await alice.sees('Disk full', general)
  })

  it('is over after ten minutes, and looks like one that never was', async () => {
    const { world, clock, service, link } = await bobAsks()
    const page = await opensLink(link)
    clock.advance(10 * minutes + 1000)
    const before = service.requests.length

    const late = await page.sends(bobToken)
    const opened = await opensLink(link)
    const unknown = await opensLink(link.slice(0, -43) + 'A'.repeat(43))
    const odd = await opensLink(`${world.url}/connect/..%2fhealthz`)

    for (const one of [late, opened, unknown, odd]) {
      expect(one).toMatchObject({ status: 404, text: unknown.text, hasForm: false })
      expect(one.text).toContain(isOver)
    }
    expect(service.requests).toHaveLength(before)
  })

  it('pressed twice connects once, and both see that it did', async () => {
    const { alice, general, service, slack, link } = await bobAsks()
    service.trouble.slow(100)
    const page = await opensLink(link)

    const both = await Promise.all([page.sends(bobToken), page.sends(bobToken)])

    for (const one of both) expect(one.text).toContain('I’m finishing what you asked for.')
    await alice.sees('Disk full', general)
    await slack.idle()
    expect(alice.messages(general).filter(({ plain }) => plain.includes('Disk full'))).toHaveLength(
      1,
    )
  })

  it('is dead once its person has left the workspace', async () => {
    const { bob, slack, link } = await bobAsks()
    const page = await opensLink(link)
    await slack.deactivate(bob)
    await slack.idle()
    expect((await page.sends(bobToken)).text).toContain(isOver)
    expect((await opensLink(link)).status).toBe(404)
  })

  it.each<[string, WorldOptions, (world: World) => unknown]>([
    ['has a fault', {}, ({ slack }) => slack.trouble.fail('users.info', { status: 500 })],
    [
      'does not show addresses',
      { slack: { botScopes: ['commands', 'chat:write', 'chat:write.public', 'users:read'] } },
      () => undefined,
    ],
    [
      'has not had it confirmed',
      {},
      ({ bob }) => Object.assign(bob.member, { isEmailConfirmed: false }),
    ],
  ])(
    'shows the handle, and says what it could not tell, where Slack %s',
    async (_, options, happens) => {
      const { world, link } = await bobAsks(options)
      happens(world)
      expect((await opensLink(link)).text).toContain(
        'This connects the Slack account @bob in the Slack workspace Playground. Bellhop couldn’t find out its email address.',
      )
    },
  )
})

it('the secret of a link and the token are in no log line, no message and no byte of the database', async () => {
  const { world, log, bob, general, slack, link } = await bobAsks()
  const secret = link.slice(-43)
  const page = await opensLink(link)
  await page.sends('wrong')
  await page.sends(bobToken)
  await bob.sees('Disk full', general)
  await slack.idle()

  const bytes = world.databaseBytes().toString('latin1')
  expect(bytes).not.toContain(secret)
  expect(bytes).not.toContain(bobToken)
  expect(bytes).not.toContain('Bob Baker')
  expect(log.join()).not.toContain(secret)
  expect(log.join()).not.toContain(bobToken)
  expect(JSON.stringify(slack.calls)).not.toContain(bobToken)
  expect(link).not.toContain(bobToken)
})

it('without PUBLIC_URL there is no page, and the modal as before', async () => {
  const world = await openWorld({ isAliceConnected: false })
  const { alice, general, url } = world
  await alice.types('/alert connect', general)
  await alice.seesModal('Connect account')
  expect(await opensLink(`${url}/connect/${'A'.repeat(43)}`)).toMatchObject({
    status: 404,
    html: 'not found',
  })
})
