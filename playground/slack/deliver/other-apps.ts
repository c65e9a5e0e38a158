// Messages that neither a person nor the bot writes: another tool's webhook.

import type { Json } from '../model/json.ts'
import type { Channel, Message } from '../model/model.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** What another tool posts, as it stands: Slack may know more blocks than this stand-in. */
export interface WebhookPost {
  readonly text?: string
  readonly blocks?: readonly Json[]
  /** Legacy ones: fallback, color, pretext, author_name, title, title_link, text, fields, footer, blocks. */
  readonly attachments?: readonly Json[]
  /** The name it stands under. */
  readonly username?: string
  readonly threadTs?: string
}

export function postByWebhook(channel: Channel, post: WebhookPost, workspace: Workspace): Message {
  const { text = '', blocks = [], attachments = [], username = 'incoming-webhook', threadTs } = post
  const app = appNamed(username, workspace)
  const by = { channelId: channel.id, authorId: app.botId, app, postedAs: username, via: 'webhook' }
  return workspace.post({ ...by, text, blocks, attachments, threadTs })
}

/** The same tool keeps its ids. */
function appNamed(username: string, { messages, stamps }: Workspace): NonNullable<Message['app']> {
  const earlier = messages.find(({ app, postedAs }) => app !== undefined && postedAs === username)
  return earlier?.app ?? { botId: stamps.id('B'), appId: stamps.id('A') }
}
