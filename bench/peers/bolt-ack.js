// Bare Bolt: it acks, with the answer where that is known at once, and that is all.
import bolt from '@slack/bolt'
import { alive } from './bolt-alive.js'
import { help, port, SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET } from './shared.js'

const app = new bolt.App({
  token: SLACK_BOT_TOKEN,
  signingSecret: SLACK_SIGNING_SECRET,
  clientOptions: { slackApiUrl: process.env.SLACK_API_URL },
  customRoutes: [alive],
})
app.command('/alert', ({ command, ack }) => (command.text === 'help' ? ack(help) : ack()))
app.action('alert.more', ({ ack }) => ack())
const server = await app.start(port)
console.log(`listening ${server.address().port}`)
