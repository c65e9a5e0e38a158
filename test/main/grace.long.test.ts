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
    socket.write(
      'POST /slack/events HTTP/1.1\r\nhost: bellhop\r\ncontent-length: 100\r\n\r\ncommand=',
    )
    await new Promise((resolve) => socket.once('data', resolve))

    expect(await secondsOf(bellhop.stop(8_000))).toBeLessThan(4)
  })
})
