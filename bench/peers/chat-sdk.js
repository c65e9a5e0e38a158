// The Chat SDK with its own Slack adapter, and cards as it has them.
import { createSlackAdapter } from '@chat-adapter/slack'
import { createMemoryState } from '@chat-adapter/state-memory'
import { Actions, Button, Card, CardText, Chat } from 'chat'
import { listen } from './fetch-server.js'
import { date, help, readAlert, SLACK_API_URL, stateOf, words } from './shared.js'

const bot = new Chat({
  userName: 'bellhop',
  adapters: { slack: createSlackAdapter({ apiUrl: SLACK_API_URL }) },
  state: createMemoryState(),
})

function cardOf(alert, askerName) {
  const { ks, lastMessage } = alert
  return Card({
    title: lastMessage,
    children: [
      CardText(stateOf(alert)),
      Actions([
        Button({ id: 'alert.refresh', label: 'Refresh', value: ks }),
        Button({ id: 'alert.watch', label: 'Watch', value: ks }),
        Button({ id: 'alert.more', label: 'Open in monitoring', value: ks }),
        Button({ id: 'alert.grant', label: 'Grant access', value: ks }),
      ]),
      CardText(`${ks} · asked by ${askerName} · ${date(Math.floor(Date.now() / 1000))}`, {
        style: 'muted',
      }),
    ],
  })
}

function historyOf({ actions }) {
  return Card({
    children: [
      CardText(`History · ${actions.length} actions`, { style: 'muted' }),
      CardText(actions.map((action) => `${date(action.timestamp)}  ${words(action)}`).join('\n')),
    ],
  })
}

bot.onSlashCommand('/alert', async ({ text, user, channel }) => {
  if (text === 'help') return channel.postEphemeral(user, help, { fallbackToDM: false })
  const alert = await readAlert(text, user.userId)
  const { id } = await channel.post(cardOf(alert, user.userName))
  await bot.thread(`${channel.id}:${id}`).post(historyOf(alert))
})
bot.onAction('alert.more', async () => {})

await bot.initialize()
listen((request) => bot.webhooks.slack(request, { waitUntil: (work) => work }))
