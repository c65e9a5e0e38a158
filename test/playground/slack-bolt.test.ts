// The simulator with a real Bolt app in front of it, over HTTP and over Socket Mode.
import { afterEach, describe, expect, it } from 'vitest'
import { modal, section, startWithBolt } from './slack-bolt-app.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

describe.each(['http', 'socket'] as const)('a bot over %s', (via) => {
  const start = async (options = {}) => {
    const started = await startWithBolt(via, options)
    stops.push(started.stop)
    return started
  }

  it('answers a command in the channel, with a thread', async () => {
    const { slack, app } = await start()
    const alice = slack.addPerson({ name: 'alice' })
    const general = slack.addChannel({ name: 'general' })
    app.command('/alert', async ({ ack, command, client }) => {
      await ack()
      const text = `Disk full: ${command.text}`
      const { ts } = await client.chat.postMessage({
        channel: command.channel_id,
        text,
        blocks: [section(text)],
      })
      if (ts) await client.chat.postMessage({ channel: command.channel_id, text: 'History', thread_ts: ts })
    })

    const delivery = await alice.types('/alert 5HkX', general)
    const card = await alice.sees(/Disk full: 5HkX/, general)
    await alice.sees('History', card)

    expect(delivery).toMatchObject({
      kind: 'slash_commands',
      via,
      outcome: 'acked',
      status: 200,
      problems: [],
    })
    expect(card.isEphemeral).toBe(false)
    expect(card.thread.map(({ plain }) => plain)).toEqual(['History'])
    expect(slack.pings).toEqual([])
  })

  it('opens a modal from a command, refuses an entry, takes the next', async () => {
    const { slack, app } = await start()
    const alice = slack.addPerson({ name: 'alice' })
    const general = slack.addChannel({ name: 'general' })
    app.command('/grant', async ({ ack, command, client }) => {
      await ack()
      await client.views.open({ trigger_id: command.trigger_id, view: modal() })
    })
    app.view('grant', async ({ ack, view, client, body }) => {
      const container = view.state.values.container?.typed?.value
      if (container !== '12') {
        await ack({ response_action: 'errors', errors: { container: 'No such container' } })
        return
      }
      await ack()
      await client.chat.postMessage({ channel: body.user.id, text: 'Granted' })
    })

    await alice.types('/grant', general)
    const form = await alice.seesModal('Grant access')
    await alice.submits({ fields: { Container: '7', Viewing: ['READ', 'API'], Member: true } })
    expect(form.errors).toEqual({ Container: 'No such container' })
    await alice.submits({ fields: { Container: '12' } })

    await alice.seesNoModal()
    await alice.sees('Granted', alice.dm)
    expect(form.values).toEqual({ Container: '12', Viewing: 'READ, API', Member: 'Full member' })
  })

  it('replaces an ephemeral message when its button is pressed', async () => {
    const { slack, app } = await start()
    const alice = slack.addPerson({ name: 'alice' })
    const bob = slack.addPerson({ name: 'bob' })
    const direct = slack.directMessage(alice, bob)
    const button = { type: 'button', text: { type: 'plain_text', text: 'Go on' }, action_id: 'go' } as const
    app.command('/alert', async ({ ack, respond }) => {
      await ack()
      await respond({ text: 'Ready?', blocks: [section('Ready?'), { type: 'actions', elements: [button] }] })
    })
    app.action('go', async ({ ack, respond }) => {
      await ack()
      await respond({ replace_original: true, text: 'Gone on' })
    })

    await alice.types('/alert', direct)
    const asked = await alice.sees('Ready?', direct)
    await bob.doesNotSee('Ready?', direct)
    await alice.presses('Go on', asked)
    const answered = await alice.sees('Gone on', direct)

    expect(answered.ts).toBe(asked.ts)
    expect(asked).toMatchObject({ isEphemeral: true, plain: 'Gone on', buttons: [] })
    await expect(alice.presses('Go on', asked)).rejects.toThrow('sees no button "Go on"')
  })
})

it('reconnects by Socket Mode after the connection was cut', async () => {
  const { slack, app, stop } = await startWithBolt('socket')
  stops.push(stop)
  const alice = slack.addPerson({ name: 'alice' })
  const general = slack.addChannel({ name: 'general' })
  app.command('/alert', async ({ ack }) => ack('Here again'))

  const gone = new Promise<void>((resolve) => {
    slack.onChange((change) => change.kind === 'socket' && !change.isConnected && resolve())
  })
  slack.socket.drop()
  await gone
  await slack.socket.connected()
  await alice.types('/alert', general)

  expect((await alice.sees('Here again', general)).isEphemeral).toBe(true)
})
