// A refused bot token, as an operator sees it: Slack stops taking one while the bot runs.
import { describe, expect, it } from 'vitest'
import { openInstalls } from '../install/world.ts'
import { openWorld, type World } from '../world.ts'

const began = 'Slack refuses the bot token of a workspace'
const ended = 'Slack accepts the bot token of a workspace again'

type Asked = Pick<World, 'url' | 'log'>

const linesIn = ({ log }: Asked, words: string) =>
  log.filter((line) => line.includes(words)).map((line) => JSON.parse(line))

async function figure({ url }: Asked): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^bellhop_bot_tokens_refused (\S+)$/m.exec(text)?.[1])
}

async function ready({ url }: Asked): Promise<string> {
  const response = await fetch(`${url}/readyz`)
  return `${response.status} ${await response.text()}`
}

const soon = { timeout: 30_000 }
const forEver = { times: Number.POSITIVE_INFINITY }
const methods = ['auth.test', 'chat.postMessage', 'chat.update', 'conversations.info', 'users.info']

function revoke({ slack }: Pick<World, 'slack'>, error: string, of: readonly string[] = methods) {
  const orders = of.map((method) => slack.trouble.fail(method, { error }, forEver))
  return () => {
    for (const order of orders) order.cancel()
  }
}

/** Half a minute passes when the test says so. */
function halfMinutes() {
  let passing = Promise.withResolvers<void>()
  return {
    tokenPause: () => passing.promise,
    pass() {
      passing.resolve()
      passing = Promise.withResolvers()
    },
  }
}

describe('the one bot token', () => {
  it.each(['token_revoked', 'account_inactive', 'invalid_auth'])(
    'that Slack refuses while the bot runs (%s) is told in the log once, in /readyz and in a figure, and so is its end',
    async (error) => {
      const time = halfMinutes()
      const world = await openWorld({ tokenPause: time.tokenPause })
      world.expectRefusals()
      const { alice, general, service, slack } = world
      service.addAlert({ ks: '5HkX', message: 'Disk full' })
      await expect.poll(() => ready(world)).toBe('200 ok')
      expect(await figure(world)).toBe(0)
      const takeBack = revoke(world, error)

      for (let times = 0; times < 2; times += 1) {
        await alice.types('/alert 5HkX', general)
        await slack.idle()
      }

      const why = `503 not ready\nstorage: ready\nSlack: the bot token was refused (${error})`
      await expect.poll(() => ready(world), soon).toBe(why)
      expect(await figure(world)).toBe(1)
      expect(linesIn(world, began)).toMatchObject([
        { level: 'warn', workspace: slack.teamId, refusal: error },
      ])
      time.pass()
      await slack.idle()
      expect(await ready(world)).toBe(why)
      takeBack()
      time.pass()
      await expect.poll(() => ready(world), soon).toBe('200 ok')
      expect(await figure(world)).toBe(0)
      const [over] = linesIn(world, ended)
      expect(over).toMatchObject({ level: 'warn', workspace: slack.teamId })
      // The request that met it first is done for hours.
      expect(over).not.toHaveProperty('request')
      expect(linesIn(world, began)).toHaveLength(1)
      expect(linesIn(world, began)[0].msg).toContain('copy the token again (SLACK_BOT_TOKEN)')
    },
  )

  it('is asked about before it is taken for refused: one odd answer of Slack is none', async () => {
    const world = await openWorld()
    world.expectRefusals()
    const { alice, general, service, slack } = world
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await expect.poll(() => ready(world)).toBe('200 ok')
    const asked = () => slack.calls.filter(({ method }) => method === 'auth.test').length
    const before = asked()
    slack.trouble.fail('chat.postMessage', { error: 'invalid_auth' })

    await alice.types('/alert 5HkX', general)
    await expect.poll(asked, soon).toBeGreaterThan(before)
    await slack.idle()

    expect(await ready(world)).toBe('200 ok')
    expect(linesIn(world, began)).toEqual([])
  })

  it('is not taken for refused because Slack refuses something else', async () => {
    const world = await openWorld()
    world.expectRefusals()
    const { alice, general, slack, service } = world
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    slack.trouble.fail('chat.postMessage', { error: 'is_archived' }, forEver)

    await alice.types('/alert 5HkX', general)
    await slack.idle()

    expect(await figure(world)).toBe(0)
    await expect.poll(() => ready(world)).toBe('200 ok')
  })
})

describe('the bot token of one installation of several', () => {
  it('that Slack refuses leaves the bot ready for the others, and is named in the log', async () => {
    const world = await openInstalls()
    const { acme, globex, service } = world
    await world.installEverywhere()
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await world.connect(acme.member, acme, 'amys-token-5512aa')
    await world.connect(globex.member, globex, 'gils-token-93bb01')
    revoke(acme, 'token_revoked')

    await acme.member.types('/alert 5HkX', acme.general)

    await expect.poll(() => figure(world), soon).toBe(1)
    expect(linesIn(world, began)).toMatchObject([
      { level: 'warn', workspace: acme.workspaceId, refusal: 'token_revoked' },
    ])
    expect(linesIn(world, began)[0].msg).toContain('install Bellhop there again, at /slack/install')
    expect(linesIn(world, began)[0].msg).not.toContain('SLACK_BOT_TOKEN')
    expect(await ready(world)).toBe('200 ok')
    await globex.member.types('/alert 5HkX', globex.general)
    await globex.member.sees('Disk full', globex.general)
  })

  it('is refused no more once the bot is taken out there', async () => {
    const time = halfMinutes()
    const world = await openInstalls({ tokenPause: time.tokenPause })
    const { acme, front, service, storage } = world
    await world.installEverywhere()
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await world.connect(acme.member, acme, 'amys-token-5512aa')
    const takeBack = revoke(acme, 'account_inactive')
    await acme.member.types('/alert 5HkX', acme.general)
    await expect.poll(() => figure(world), soon).toBe(1)
    takeBack()

    await front.uninstall(acme.slack)

    await expect.poll(() => storage.installations.find(acme.workspaceId), soon).toBeUndefined()
    time.pass()
    await expect.poll(() => figure(world), soon).toBe(0)
  })

  it('is no trouble when the bot is taken out in the ordinary way', async () => {
    const world = await openInstalls()
    const { acme, front, storage } = world
    await world.installEverywhere()

    await front.uninstall(acme.slack)

    await expect.poll(() => storage.installations.find(acme.workspaceId), soon).toBeUndefined()
    expect(await figure(world)).toBe(0)
    expect(linesIn(world, began)).toEqual([])
  })

  it('that Slack takes again is refused no more, and the log says so', async () => {
    const time = halfMinutes()
    const world = await openInstalls({ tokenPause: time.tokenPause })
    const { acme, service } = world
    await world.installEverywhere()
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await world.connect(acme.member, acme, 'amys-token-5512aa')
    const takeBack = revoke(acme, 'token_revoked')
    await acme.member.types('/alert 5HkX', acme.general)
    await expect.poll(() => figure(world), soon).toBe(1)

    takeBack()
    world.clock.advance(10_000)
    time.pass()

    await expect.poll(() => figure(world), soon).toBe(0)
    expect(linesIn(world, ended)).toMatchObject([{ level: 'warn', workspace: acme.workspaceId }])
  })
})
