// A refused bot token, as an operator sees it: Slack stops taking one while the bot runs.
import { describe, expect, it } from 'vitest'
import { ready, scrape } from '../metrics/scraped.ts'
import { diskFull, linesIn, openWorld, type World } from '../world.ts'

const began = 'Slack refuses the bot token'
const ended = 'Slack accepts the bot token again'

const figure = async ({ url }: World) => (await scrape(url)).of('bellhop_bot_tokens_refused')

const soon = { timeout: 30_000 }
const forEver = { times: Number.POSITIVE_INFINITY }
const methods = ['auth.test', 'chat.postMessage', 'chat.update', 'conversations.info', 'users.info']

function revoke({ slack }: Pick<World, 'slack'>, error: string, of: readonly string[] = methods) {
  const orders = of.map((method) => slack.trouble.fail(method, { error }, forEver))
  return () => {
    for (const order of orders) order.cancel()
  }
}

describe('the bot token', () => {
  it.each(['token_revoked', 'account_inactive', 'invalid_auth'])(
    'that Slack refuses while the bot runs (%s) is told in the log once, in /readyz and in a figure, and so is its end',
    async (error) => {
      const world = await openWorld()
      world.expectRefusals()
      const { alice, general, service, slack } = world
      service.addAlert(diskFull)
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
      expect(linesIn(world.log, began)).toMatchObject([{ level: 'warn', refusal: error }])
      world.clock.advance(30_000)
      expect(await ready(world)).toBe(why)
      await slack.idle()
      expect(await ready(world)).toBe(why)
      takeBack()
      world.clock.advance(30_000)
      await expect.poll(() => ready(world), soon).toBe('200 ok')
      expect(await figure(world)).toBe(0)
      const [over] = linesIn(world.log, ended)
      expect(over).toMatchObject({ level: 'warn' })
      expect(linesIn(world.log, began)).toHaveLength(1)
      expect(linesIn(world.log, began)[0].msg).toContain('copy the token again (SLACK_BOT_TOKEN)')
    },
  )
})
