// slack-edge as its own pages have it, on node:http.
import { SlackApp } from 'slack-edge'
import { listen } from './fetch-server.js'
import {
  card,
  help,
  history,
  readAlert,
  SLACK_API_URL,
  SLACK_BOT_TOKEN,
  SLACK_SIGNING_SECRET,
} from './shared.js'

// It has no setting for where Slack is; it makes a Request of each call.
globalThis.Request = class extends Request {
  constructor(url, options) {
    super(url.replace('https://slack.com/api/', SLACK_API_URL), options)
  }
}

const app = new SlackApp({ env: { SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET, SLACK_LOGGING_LEVEL: 'INFO' } })

app.command(
  '/alert',
  async ({ payload }) => (payload.text === 'help' ? help : undefined),
  async ({ payload, context: { client } }) => {
    if (payload.text === 'help') return
    const alert = await readAlert(payload.text, payload.user_id)
    const { channel, ts } = await client.chat.postMessage({
      channel: payload.channel_id,
      ...card(alert, payload.user_name),
    })
    await client.chat.postMessage({ channel, thread_ts: ts, ...history(alert) })
  },
)
app.action('alert.more', async () => {})

listen((request) => app.run(request, { waitUntil: (work) => work }))
