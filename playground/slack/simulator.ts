// A stand-in Slack workspace, as strict as Slack: Web API, response urls, Socket Mode, signed requests, people,
// events of what the app is subscribed to and has the scope for, unfurling of links.
//
// Keeps Slack's documented limits (`limits.ts`); faults can be ordered with `trouble`.
// It does not imitate: user tokens, message search and history, files, group conversations of three or more, reactions,
// editing by people, slash commands that other apps own, menus outside of input blocks once they are shown, dispatching
// while somebody types, the echo of a command typed in a channel, `x-slack-no-retry`, pauses between retries of events,
// notifications and read marks, attachments of the bot's own but for unfurls of blocks, groups of options, emoji in
// rich text, views by `external_id`, with a `clear_on_close` or on top of each other, Work Objects, what Slack itself
// finds behind links, the buttons of Slack's own prompt to connect, and the newest blocks (card, carousel, container,
// data_table, video, plan, task_card), which it refuses like an older workspace.
import { ACK_MS } from './deliver/deliver.ts'
import { Events } from './deliver/events.ts'
import { Interactions } from './deliver/interactions.ts'
import type { SlackOptions } from './options.ts'
import { Slack } from './slack.ts'
import { serveApi } from './wire/server.ts'
import { Socket } from './wire/socket.ts'
import { Trouble } from './wire/trouble.ts'
import { Workspace } from './workspace/workspace.ts'

export type { Slack } from './slack.ts'

/** What an app commonly has. The product’s own stand in its manifest, and callers pass them. */
const botScopes = [
  'commands',
  'chat:write',
  'chat:write.public',
  'users:read',
  'users:read.email',
  'im:write',
]

/** Starts a workspace on 127.0.0.1. Stop it with `stop()`. */
export async function startSlack(options: SlackOptions = {}): Promise<Slack> {
  const workspace = new Workspace({
    clock: Date.now,
    signingClock: Date.now,
    ackMs: ACK_MS,
    port: 0,
    teamName: 'Playground',
    botScopes,
    appScopes: ['connections:write'],
    unfurlDomains: [],
    hasOptionsUrl: true,
    messagesTab: true,
    keepsLimits: true,
    isGrid: false,
    isOrgWide: true,
    ...options,
  })
  const { port, hasOptionsUrl, ackMs, signingClock } = workspace.options
  const trouble = new Trouble()
  const socket = new Socket(workspace)
  const api = await serveApi(
    workspace,
    trouble,
    { 'apps.connections.open': () => ({ ok: true, url: socket.newUrl() }) },
    port,
  )
  const origin = options.origin ?? api.origin
  socket.listen(api.server, origin)
  const interactions = new Interactions(workspace, {
    requestUrl: undefined,
    hasOptionsUrl,
    origin,
    socket,
    ackMs,
    signingClock,
  })
  return new Slack(
    workspace,
    trouble,
    socket,
    api,
    interactions,
    new Events(workspace, interactions),
  )
}
