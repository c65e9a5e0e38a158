import { describe, expect, it } from 'vitest'
import { openWorld } from '../world.ts'

const diskFull = { ks: '5HkX', message: 'Disk full', severity: 2, timestamp: 1_700_000_000 } as const

describe('over Socket Mode', () => {
  it('commands, buttons and modals work as over HTTP', async () => {
    const { alice, general, service } = await openWorld({ transport: 'socket' })
    const alert = service.addAlert(diskFull)

    await alice.types('/alert 5HkX', general)
    const card = await alice.sees('Disk full', general)
    await alice.sees('No actions on this alert yet', card)
    alert.act({ kind: 'Comment', data: { message: 'news' } })
    await alice.presses('Refresh', card)
    await alice.sees('news', card)
    await alice.types('/grant 12 dave@example.com', general)
    await alice.seesModal('Grant access')
    await alice.submits({ fields: { Role: 'Custom', Viewing: ['View the container'] } })

    await alice.sees('Granted', general)
  })

  it('a lost connection is opened again', async () => {
    const { alice, general, service, slack, log } = await openWorld({ transport: 'socket' })
    service.addAlert(diskFull)

    slack.socket.drop()
    await slack.workspace.changes.until(
      () => !slack.socket.isConnected || undefined,
      5000,
      () => 'still connected',
    )
    await slack.workspace.changes.until(
      () => slack.socket.isConnected || undefined,
      5000,
      () => 'not connected again',
    )
    await alice.types('/alert 5HkX', general)

    await alice.sees('Disk full', general)
    expect(log.filter((line) => line.includes('WebSocket error'))).not.toEqual([])
    expect(log.filter((line) => line.includes('"level":"error"'))).toEqual([])
  })

  it('a connection that cannot be opened again at first does not end the bot', async () => {
    const world = await openWorld({ transport: 'socket' })
    const { slack, url } = world
    world.expectRefusals()
    slack.trouble.fail('apps.connections.open', { status: 500 }, { times: 2 })

    slack.socket.drop()
    await slack.workspace.changes.until(
      () => !slack.socket.isConnected || undefined,
      5000,
      () => 'still connected',
    )
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
    await slack.workspace.changes.until(
      () => slack.socket.isConnected || undefined,
      8000,
      () => 'not connected again',
    )

    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200)
  })

  it('a stop while it connects ends without a connection', async () => {
    const { bellhop, slack } = await openWorld({ transport: 'socket' })
    const asked = () => slack.calls.filter(({ method }) => method === 'apps.connections.open').length
    const before = asked()

    slack.socket.drop()
    await slack.workspace.changes.until(
      () => asked() > before || undefined,
      5000,
      () => 'did not ask for a connection',
    )
    await bellhop.stop(5000)

    await slack.idle(300)
    expect(slack.socket.isConnected).toBe(false)
  })

  it.each(['refresh_requested', 'warning'] as const)(
    'nothing is missed when Slack renews the connection (%s): the next one is open before it ends',
    async (reason) => {
      const { alice, general, service, slack, waits } = await openWorld({ transport: 'socket' })
      service.addAlert(diskFull)
      service.addAlert({ ...diskFull, ks: '6HkX', message: 'Disk empty' })
      const connections: number[] = []
      slack.onChange(({ kind }) => {
        if (kind === 'socket') connections.push(slack.socket.connections)
      })

      slack.socket.refresh(reason)
      await alice.types('/alert 5HkX', general)
      await alice.sees('Disk full', general)
      await expect.poll(() => connections).toEqual([2, 1])
      await alice.types('/alert 6HkX', general)

      await alice.sees('Disk empty', general)
      // What Slack had sent on the one before is taken meanwhile.
      expect(waits).toContain(10_000)
      // Slack leaves its side of the connection open.
      await expect.poll(() => slack.socket.held).toBe(1)
    },
  )

  it('a goodbye of Slack’s is answered by the next connection at once, though Slack leaves TCP open', async () => {
    const { alice, general, service, slack } = await openWorld({ transport: 'socket' })
    service.addAlert(diskFull)
    const connected: boolean[] = []
    slack.onChange((change) => {
      if (change.kind === 'socket') connected.push(change.isConnected)
    })

    slack.socket.hangUp()
    await expect.poll(() => connected, { timeout: 30_000 }).toEqual([false, true])
    await alice.types('/alert 5HkX', general)

    await alice.sees('Disk full', general)
    await expect.poll(() => slack.socket.held).toBe(1)
  })

  it('a stop ends the connection that Slack leaves open', async () => {
    const { bellhop, slack } = await openWorld({ transport: 'socket' })

    await bellhop.stop(2_000)

    await expect.poll(() => slack.socket.held).toBe(0)
  })

  it('has no HTTP address for Slack', async () => {
    const { url } = await openWorld({ transport: 'socket' })

    expect((await fetch(`${url}/slack/events`, { method: 'POST' })).status).toBe(404)
  })
})
