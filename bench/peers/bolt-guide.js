// The bot as Bolt's own guides would have it: ack, the global fetch, the client that Bolt hands in.
import bolt from '@slack/bolt'
import { alive } from './bolt-alive.js'
import { card, history, port, readAlert, SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET } from './shared.js'

const app = new bolt.App({
  token: SLACK_BOT_TOKEN,
  signingSecret: SLACK_SIGNING_SECRET,
  clientOptions: { slackApiUrl: process.env.SLACK_API_URL },
  customRoutes: [alive],
})

app.command('/alert', async ({ command, ack, client }) => {
  const key = command.text
  await ack()
  const alert = await readAlert(key, command.user_id)
  const { channel, ts } = await client.chat.postMessage({
    channel: command.channel_id,
    ...card(alert, command.user_name),
  })
  await client.chat.postMessage({ channel, thread_ts: ts, ...history(alert) })
})
app.action('alert.more', ({ ack }) => ack())

const server = await app.start(port)
console.log(`listening ${server.address().port}`)
