import { describe, expect, it } from 'vitest'
import { diskFull, openWorld, type World } from '../world.ts'

const until = ({ workspace }: World['slack'], isSo: () => boolean) =>
  workspace.changes.until(
    () => isSo() || undefined,
    8_000,
    () => `never: ${isSo}`,
  )

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
    await until(slack, () => !slack.socket.isConnected)
    await until(slack, () => slack.socket.isConnected)
    await alice.types('/alert 5HkX', general)

    await alice.sees('Disk full', general)
    expect(log.filter((line) => line.includes('WebSocket error'))).not.toEqual([])
    expect(log.filter((line) => line.includes('"level":"error"'))).toEqual([])
  })

  it('a command that was acked is answered once, though the connection drops as it comes', async () => {
    const world = await openWorld({ transport: 'socket' })
    world.expectRefusals()
    const { alice, general, slack } = world
    const acked: string[] = []
    for (let turn = 1; turn <= 3; turn += 1) {
      const email = `s${turn}@example.com`
      world.service.addUser({ email })
      const typed = alice.types(`/grant 12 ${email} viewer`, general)
      if (turn === 2) slack.socket.drop()
      if ((await typed).outcome === 'acked') acked.push(email)
      await slack.socket.connected(15_000)
    }

    expect(acked.length).toBeGreaterThanOrEqual(2)
    for (const email of acked) await alice.sees(new RegExp(`✅ Granted[^]*${email}`), general)
    await slack.idle(200)
    const told = (email: string) =>
      alice.messages(general).filter(({ plain }) => plain.includes(email))
    for (const email of acked) expect([email, told(email).length]).toEqual([email, 1])
  })

  it('a connection that cannot be opened again at first does not end the bot', async () => {
    const world = await openWorld({ transport: 'socket' })
    const { slack, url } = world
    world.expectRefusals()
    await expect.poll(() => slack.socket.connections).toBe(2)
    slack.trouble.fail('apps.connections.open', { status: 500 }, { times: 2 })

    slack.socket.drop()
    await until(slack, () => !slack.socket.isConnected)
    expect((await fetch(`${url}/readyz`)).status).toBe(503)
    await until(slack, () => slack.socket.isConnected)

    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200)
  })

  it('nothing is missed when Slack renews a connection: the other one takes what comes', async () => {
    const { alice, general, service, slack } = await openWorld({ transport: 'socket' })
    await expect.poll(() => slack.socket.connections).toBe(2)
    const connections: number[] = []
    slack.onChange(({ kind }) => {
      if (kind === 'socket') connections.push(slack.socket.connections)
    })
    async function lookUp(ks: string): Promise<void> {
      service.addAlert({ ...diskFull, ks, message: `Disk ${ks} full` })
      await alice.types(`/alert ${ks}`, general)
      await alice.sees(`Disk ${ks} full`, general)
    }

    for (const reason of ['warning', 'refresh_requested'] as const) {
      slack.socket.refresh(reason)
      await lookUp(`${reason}1`)
      await expect.poll(() => slack.socket.connections).toBe(2)
      await lookUp(`${reason}2`)
    }

    expect(connections).toEqual([1, 2, 1, 2])
  })

  it('a stop acks first what came', async () => {
    const { alice, bellhop, general, service, slack } = await openWorld({ transport: 'socket' })
    service.trouble.slow(300)

    const typed = alice.types('/alert 5HkX', general)
    await until(slack, () => slack.deliveries.length > 0)
    await bellhop.stop(5_000)

    expect((await typed).outcome).toBe('acked')
  })

  it('has no HTTP address for Slack', async () => {
    const { url } = await openWorld({ transport: 'socket' })

    expect((await fetch(`${url}/slack/events`, { method: 'POST' })).status).toBe(404)
  })
})
