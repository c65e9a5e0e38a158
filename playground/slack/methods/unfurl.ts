// chat.unfurl: what the bot attaches to links in messages; asking to connect. What is still being written gets nothing.
// Takes a prompt to connect without unfurls; that Slack says `missing_unfurls` of one is not ruled out: order it.
// Works in every conversation that a link was told of, whether the bot is in it or not.
// Source: docs.slack.dev/reference/methods/chat.unfurl, /changelog/2020-11-app-unfurls-everywhere.
import { isRefusal, readMessage } from '../check/message.ts'
import { readUnfurls } from '../check/unfurl.ts'
import { type Json, records, text, truth } from '../model/json.ts'
import type { Message, Unfurl } from '../model/model.ts'
import { linksIn } from '../text/links.ts'
import { fillIds } from '../workspace/fill-ids.ts'
import type { SharedLink } from '../workspace/shared-links.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Method, refuse, refuseWith } from './method.ts'

export const unfurl: Method = {
  name: 'chat.unfurl',
  token: 'bot',
  scopes: ['links:write'],
  required: [],
  optional: [
    ...['channel', 'ts', 'unfurl_id', 'source', 'unfurls'],
    ...['user_auth_required', 'user_auth_message', 'user_auth_url', 'user_auth_blocks'],
  ],
  answer: (args, workspace) => {
    const target = targetOf(args, workspace)
    if (typeof target === 'string') return refuse(target)
    if (asksToConnect(args)) return ask(args, target, workspace)
    if (args.unfurls === undefined) return refuse('missing_unfurls')
    const unfurls = readUnfurls(args.unfurls)
    if ('error' in unfurls) return refuseWith(unfurls.error, unfurls.errors)
    const refused = [...unfurls.keys()].map((url) => refusalOf(url, target)).find((one) => one !== undefined)
    if (refused !== undefined) return refuse(refused)
    attach(target, unfurls, workspace)
    return { ok: true }
  },
}

/** Where the links stand. */
interface Target {
  readonly shared: SharedLink | undefined
  readonly message: Message
}

function targetOf(args: Json, workspace: Workspace): Target | string {
  const shared = sharedBy(args, workspace)
  if (typeof shared === 'string') return shared
  const [channelId, ts] = shared ? [shared.channelId, shared.ts] : [text(args.channel), text(args.ts)]
  const message = workspace.find(channelId ?? '', ts ?? '')
  return message ? { shared, message } : 'cannot_find_message'
}

/** What the bot was told; undefined for a message that it was told nothing of. */
function sharedBy(args: Json, { channels, sharedLinks }: Workspace): SharedLink | undefined | string {
  const [channelId, ts, id, source] = ['channel', 'ts', 'unfurl_id', 'source'].map((name) => text(args[name]))
  if (id !== undefined || source !== undefined) {
    if (!id) return 'missing_unfurl_id'
    if (!source) return 'missing_source'
    if (source !== 'composer' && source !== 'conversations_history') return 'invalid_source'
    return sharedLinks.byId(id, source) ?? 'invalid_unfurl_id'
  }
  if (!channelId) return 'missing_channel'
  if (!ts) return 'missing_ts'
  const shared = sharedLinks.at(channelId, ts)
  if (shared) return shared
  if (channelId === 'COMPOSER') return 'cannot_find_message'
  return channels.has(channelId) ? undefined : 'cannot_find_channel'
}

/** Links of other domains are not the app's, nor those that it was not told of. */
function refusalOf(url: string, { shared, message }: Target): string | undefined {
  if (shared?.urls.includes(url)) return undefined
  return linksIn(message.text).includes(url) ? 'cannot_unfurl_url' : 'cannot_unfurl_message'
}

function attach({ message }: Target, given: ReadonlyMap<string, Json>, workspace: Workspace): void {
  const unfurls = [...message.unfurls]
  for (const [url, attachment] of given) {
    const blocks = fillIds(records(attachment.blocks), workspace.stamps)
    const at = unfurls.findIndex((one) => one.url === url)
    const made: Unfurl = {
      id: at < 0 ? unfurls.length + 1 : at + 1,
      url,
      attachment: { ...attachment, blocks },
    }
    unfurls.splice(at < 0 ? unfurls.length : at, 1, made)
  }
  workspace.unfurl(message, unfurls)
}

/** A message or an address to connect at implies that connecting is required; blocks alone do not. */
function asksToConnect(args: Json): boolean {
  return (
    truth(args.user_auth_required) ||
    Boolean(text(args.user_auth_message)) ||
    Boolean(text(args.user_auth_url))
  )
}

/** Shows the one who wrote the link, and nobody else, how to connect. */
function ask(args: Json, { shared, message }: Target, workspace: Workspace): Json {
  const userId = shared?.userId
  if (!shared) return refuse('cannot_unfurl_url')
  if (userId === undefined) return refuse('cannot_auth_user')
  const url = text(args.user_auth_url)
  const words =
    text(args.user_auth_message) ||
    (url ? `<${url}|Connect> to show a preview.` : 'Install the app to show a preview.')
  const content = readMessage({ text: words, blocks: args.user_auth_blocks })
  if (isRefusal(content)) return refuseWith(content.error, content.errors)
  workspace.post({
    channelId: message.channelId,
    authorId: workspace.bot.userId,
    text: content.text ?? '',
    blocks: content.blocks ?? [],
    ephemeralFor: userId,
    threadTs: message.threadTs,
    via: 'chat.unfurl',
  })
  return { ok: true }
}
