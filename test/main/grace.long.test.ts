import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openWorld } from '../world.ts'

async function secondsOf(work: Promise<void>): Promise<number> {
  const begun = performance.now()
  await work
  return (performance.now() - begun) / 1000
}

describe('a stop', () => {
  it('takes no longer than its grace, though the service does not answer', async () => {
    const { alice, general, service, slack, bellhop } = await openWorld({ budgetMs: 2_000 })
    service.trouble.hang({ times: 1 })
    const before = service.requests.length
    await alice.types('/alert 5HkX', general)
    await expect.poll(() => service.requests.length).toBe(before + 1)

    expect(await secondsOf(bellhop.stop(300))).toBeLessThan(1.5)
    await slack.idle()
  })

  it('takes no longer than its grace, though Slack does not answer', async () => {
    const world = await openWorld()
    const { alice, general, service, slack, bellhop } = world
    world.expectRefusals()
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    slack.trouble.slow('chat.postMessage', 2_000, { times: 1 })
    await alice.types('/alert 5HkX', general)

    expect(await secondsOf(bellhop.stop(300))).toBeLessThan(1.5)
  })

  it('does not wait for a request that is only half sent', async () => {
    const { bellhop, url } = await openWorld()
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    socket.write('GET /healthz HTTP/1.1\r\nhost: bellhop\r\n\r\n')
    socket.write('POST /slack/events HTTP/1.1\r\nhost: bellhop\r\ncontent-length: 100\r\n\r\ncommand=')
    await new Promise((resolve) => socket.once('data', resolve))

    expect(await secondsOf(bellhop.stop(8_000))).toBeLessThan(4)
  })

  it('waits for an outcome that is being told late, so that it is told once', async () => {
    const world = await openWorld()
    const { alice, clock, general, slack } = world
    world.expectRefusals()
    for (const method of ['response_url', 'chat.postMessage'])
      slack.trouble.fail(method, { status: 500 }, { times: 9 })
    await alice.types('/grant 12 dave@example.com viewer', general)
    await slack.idle(300)
    slack.trouble.clear()
    slack.trouble.slow('chat.postMessage', 300, { times: 1 })
    clock.advance(400_000)

    await world.restart()
    await world.restart()

    await alice.sees('Here’s the result of a grant you asked for earlier', alice.dm)
    clock.advance(400_000)
    await world.restart()
    await slack.idle(300)
    expect(alice.messages(alice.dm)).toHaveLength(1)
  })
})
