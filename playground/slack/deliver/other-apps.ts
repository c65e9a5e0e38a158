// Messages that neither a person nor the bot writes: another tool's webhook, a mail to a channel's address.

import type { Json } from '../model/json.ts'
import type { Channel, Message } from '../model/model.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { SLACKBOT } from './acks.ts'

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

export interface Mail {
  readonly subject: string
  /** The body as plain text. */
  readonly text: string
  /** Such as `Monitoring <alerts@example.com>`. */
  readonly from?: string
}

/** Slack shows so much of a mail in the channel. */
const PREVIEW = 256

export function postByWebhook(channel: Channel, post: WebhookPost, workspace: Workspace): Message {
  const { text = '', blocks = [], attachments = [], username = 'incoming-webhook', threadTs } = post
  const app = appNamed(username, workspace)
  const by = { channelId: channel.id, authorId: app.botId, app, postedAs: username, via: 'webhook' }
  return workspace.post({ ...by, text, blocks, attachments, threadTs })
}

/** Source of the shape: mails as Slack sends them in `message` events, `files[]` with `mode: "email"`. */
export function postMail(channel: Channel, mail: Mail, workspace: Workspace): Message {
  const { subject, text, from = 'Monitoring <alerts@example.com>' } = mail
  const [, name = from, address = from] = /^(.*?)\s*<(.+)>$/.exec(from) ?? []
  const { stamps, teamId, options } = workspace
  const html = `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>')}</p>`
  const preview = text.slice(0, PREVIEW)
  const file = {
    ...{ id: stamps.id('F'), created: Math.floor(options.clock() / 1000), name: subject, title: subject },
    ...{ mimetype: 'text/html', filetype: 'email', pretty_type: 'Email', mode: 'email' },
    ...{ user: SLACKBOT, user_team: teamId, editable: true, size: html.length, username: 'Email' },
    ...{ is_external: false, external_type: '', is_public: true, display_as_bot: true },
    ...{ subject, from: [{ address, name, original: from }], to: [], cc: [], attachments: [] },
    ...{ plain_text: text, preview_plain_text: preview, preview: html, simplified_html: html },
    has_more: text.length > preview.length,
  }
  const by = { channelId: channel.id, authorId: SLACKBOT, postedAs: 'Email', via: 'mail' }
  return workspace.post({ ...by, text: '', files: [file] })
}

/** The same tool keeps its ids. */
function appNamed(username: string, { messages, stamps }: Workspace): NonNullable<Message['app']> {
  const earlier = messages.find(({ app, postedAs }) => app !== undefined && postedAs === username)
  return earlier?.app ?? { botId: stamps.id('B'), appId: stamps.id('A') }
}
