// A real Bolt app beside a simulator, and a few pieces of Block Kit for the tests of the simulator.
import { App, type AppOptions, HTTPReceiver, SocketModeReceiver } from '@slack/bolt'
import type { ModalView, SectionBlock } from '@slack/types'
import type { SlackOptions } from '../../playground/slack/options.ts'
import { type Slack, startSlack } from '../../playground/slack/simulator.ts'
import { createLog } from '../../src/log/log.ts'
import { slackLogger } from '../../src/slack/client/web-client.ts'

/** What Slack's SDKs would print while the simulator is unkind to them. */
const quiet = slackLogger(createLog({ level: 'silent' }))

export interface Started {
  readonly slack: Slack
  readonly app: App
  stop(): Promise<void>
}

export async function startWithBolt(via: 'http' | 'socket', options: SlackOptions = {}): Promise<Started> {
  const slack = await startSlack(options)
  const clientOptions: AppOptions['clientOptions'] = {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  }
  const common = { token: slack.botToken, clientOptions, logger: quiet }
  if (via === 'socket') {
    const receiver = new SocketModeReceiver({
      appToken: slack.appToken,
      clientPingTimeout: 300,
      logger: quiet,
      installerOptions: { clientOptions },
    })
    const app = new App({ ...common, receiver })
    await app.start()
    await slack.socket.connected()
    return { slack, app, stop: () => app.stop().then(() => slack.stop()) }
  }
  const receiver = new HTTPReceiver({ signingSecret: slack.signingSecret, logger: quiet })
  const app = new App({ ...common, receiver })
  const server = await receiver.start(0)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Bolt has no port')
  slack.deliverTo(`http://127.0.0.1:${address.port}/slack/events`)
  return { slack, app, stop: () => app.stop().then(() => slack.stop()) }
}

export function section(text: string): SectionBlock {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }
}

/** A form with a text, a group of boxes and a single box. */
export function modal(): ModalView {
  const label = (text: string) => ({ type: 'plain_text', text }) as const
  const option = (text: string) => ({ text: label(text), value: text })
  return {
    type: 'modal',
    callback_id: 'grant',
    title: label('Grant access'),
    submit: label('Grant access'),
    blocks: [
      {
        type: 'input',
        block_id: 'container',
        label: label('Container'),
        element: { type: 'plain_text_input', action_id: 'typed' },
      },
      {
        type: 'input',
        block_id: 'viewing',
        label: label('Viewing'),
        element: { type: 'checkboxes', action_id: 'flags', options: [option('READ'), option('API')] },
      },
      {
        type: 'input',
        block_id: 'member',
        label: label('Member'),
        optional: true,
        element: { type: 'checkboxes', action_id: 'flags', options: [option('Full member')] },
      },
    ],
  }
}
