// The bot's own way to Slack, for what it would not send by itself here.
import type { Playground } from '../../../playground/open-playground.ts'
import type { Channel } from '../../../playground/slack/model/model.ts'

export async function botCalls({ slack }: Playground, method: string, args: object): Promise<void> {
  await fetch(slack.apiUrl + method, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${slack.botToken}`,
      'content-type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify(args),
  })
}

export function channelCalled(name: string, { slack }: Playground): Channel {
  const channel = [...slack.workspace.channels.values()].find((one) => one.name === name)
  if (!channel) throw new Error(`No #${name}`)
  return channel
}
