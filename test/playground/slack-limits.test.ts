// The stand-in Slack keeps Slack's documented limits, each method and workspace by itself.
import { WebAPIRateLimitedError, WebClient } from '@slack/web-api'
import { expect, it, onTestFinished } from 'vitest'
import { startSlack } from '../../playground/slack/simulator.ts'
import { createLog } from '../../src/log/log.ts'
import { slackLogger } from '../../src/slack/client.ts'

/** A workspace whose clock stands still until it is moved. */
async function open(keepsLimits = true) {
  const time = { now: 1_800_000_000_000 }
  const slack = await startSlack({ clock: () => time.now, keepsLimits })
  onTestFinished(() => slack.stop())
  const general = slack.addChannel({ name: 'general', botIsMember: true })
  const random = slack.addChannel({ name: 'random', botIsMember: true })
  const { chat } = new WebClient(slack.botToken, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    logger: slackLogger(createLog({ level: 'silent' })),
    rejectRateLimitedCalls: true,
  })
  const post = (channel = general) => chat.postMessage({ channel: channel.id, text: 'hello' })
  const update = (ts: string) => chat.update({ channel: general.id, ts, text: 'changed' })
  return { time, random, post, update }
}

/** How long Slack asks to wait, in seconds; undefined when it lets the call through. */
async function asked(call: Promise<unknown>): Promise<number | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    if (error instanceof WebAPIRateLimitedError) return error.retryAfter
    throw error
  }
}

it('takes 50 updates a minute in a workspace, whatever message they change, and posts meanwhile', async () => {
  const { time, post, update } = await open()
  const { ts = '' } = await post()
  for (let count = 0; count < 50; count += 1) expect(await asked(update(ts))).toBeUndefined()
  time.now += 20_000

  expect(await asked(update(ts))).toBe(40)
  expect(await asked(post())).toBeUndefined()
  time.now += 40_000
  expect(await asked(update(ts))).toBeUndefined()
})
