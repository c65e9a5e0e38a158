// Bare Bolt: it acks, `/alert help` with the answer that it is given, if any, and that is all.
import bolt from '@slack/bolt'
import { alive } from './bolt-alive.js'
import { port, SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET } from './shared.js'

const app = new bolt.App({
  token: SLACK_BOT_TOKEN,
  signingSecret: SLACK_SIGNING_SECRET,
  clientOptions: { slackApiUrl: process.env.SLACK_API_URL },
  customRoutes: [alive],
})
const { HELP_ANSWER } = process.env
const answer = HELP_ANSWER ? JSON.parse(HELP_ANSWER) : undefined
app.command('/alert', ({ ack }) => ack(answer))
app.action('alert.more', ({ ack }) => ack())
const server = await app.start(port)
console.log(`listening ${server.address().port}`)
