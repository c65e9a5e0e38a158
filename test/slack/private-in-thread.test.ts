// Private answers to somebody who asked in a thread.
import { describe, expect, it } from 'vitest'
import type { Channel } from '../../playground/slack/model/model.ts'
import { openWorld, type World, type WorldOptions } from '../world.ts'

/** Alice asks in a thread for an alert that there is not: only she is to hear of it. */
async function asks({ alice, bob }: World, channel: Channel) {
  const parent = bob.says('What about nothing? https://monitor.example.com/alert/nothing', channel)
  bob.says('Anybody?', parent)
  await alice.usesShortcut('alert.look-up-in-message', parent)
  return alice.sees('What about nothing?', channel)
}

const answered = 'There’s no alert'
const sent = ({ slack }: World) =>
  slack.calls
    .map(({ method }) => method)
    .filter((method) => /postEphemeral|response_url/.test(method))

/** Alice has an account, and nothing was sent to her alone so far. */
async function openThread(options?: WorldOptions) {
  const world = await openWorld({ isAliceConnected: 'in the form', ...options })
  expect(sent(world)).toEqual([])
  return world
}

describe('a private answer in a thread', () => {
  it('stands in that thread, and costs one call', async () => {
    const world = await openThread()
    const { alice, general, slack } = world

    const parent = await asks(world, general)

    expect((await alice.sees(answered, parent)).isEphemeral).toBe(true)
    await slack.idle()
    expect(sent(world)).toEqual(['chat.postEphemeral'])
    await alice.doesNotSee(answered, general)
  })

  it('stands at the bottom of a channel that the bot is not in, and costs two', async () => {
    const world = await openThread()
    const { alice, ops, slack } = world

    await asks(world, ops)

    expect((await alice.sees(answered, ops)).isEphemeral).toBe(true)
    await slack.idle()
    expect(sent(world)).toEqual(['chat.postEphemeral', 'response_url'])
  })

  it('does not wait when Slack asks to: it stands at the bottom of the channel then', async () => {
    const world = await openThread()
    world.expectRefusals()
    const { alice, general, slack, waits } = world
    slack.trouble.rateLimit('chat.postEphemeral', { retryAfterSeconds: 30, times: 3 })

    await asks(world, general)

    await alice.sees(answered, general)
    expect(waits).not.toContain(30_000)
  })

  it('is replaced where it stands, and no thread is named for that', async () => {
    const { alice, bob, general, slack } = await openThread()
    bob.says('Anybody?', bob.says('Dave needs access', general))
    const parent = await alice.sees('Dave needs access', general)
    alice.says('@Bellhop grant 12 dave@example.com WEBHOOKS', parent)
    const prompt = await alice.sees('Sensitive flags', parent)
    const before = slack.calls.length

    await alice.presses('Cancel', prompt)

    await alice.sees('Cancelled. Nothing was sent.', parent)
    expect(slack.calls.slice(before).map(({ method, args }) => [method, args.thread_ts])).toEqual([
      ['response_url', undefined],
    ])
    await alice.doesNotSee('Sensitive flags', parent)
  })
})
