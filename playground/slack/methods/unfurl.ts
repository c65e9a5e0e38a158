// chat.unfurl: what the bot attaches to links in messages; asking to connect. What is still being written gets nothing.
// Takes a prompt to connect without unfurls; that Slack says `missing_unfurls` of one is not ruled out: order it.
// Works in every conversation that a link was told of, whether the bot is in it or not.
// Source: docs.slack.dev/reference/methods/chat.unfurl, /changelog/2020-11-app-unfurls-everywhere.
import { readNewMessage } from '../check/message.ts'
import { Refused } from '../check/refused.ts'
import { readUnfurls } from '../check/unfurl.ts'
import { type Json, records, text, truth } from '../model/json.ts'
import type { Message } from '../model/model.ts'
import { linksIn } from '../text/links.ts'
import { fillIds } from '../workspace/fill-ids.ts'
import type { SharedLink } from '../workspace/shared-links.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Answer } from './method.ts'

export const unfurl: Answer = (args, workspace) => {
  const target = targetOf(args, workspace)
  // A message or an address to connect at implies that connecting is required; blocks alone do not.
  if (truth(args.user_auth_required) || text(args.user_auth_message) || text(args.user_auth_url))
    return ask(args, target, workspace)
  if (args.unfurls === undefined) throw new Refused('missing_unfurls')
  const unfurls = readUnfurls(args.unfurls)
  for (const url of unfurls.keys()) checkTold(url, target)
  attach(target, unfurls, workspace)
  return { ok: true }
}

/** Where the links stand. */
interface Target {
  readonly shared: SharedLink | undefined
  readonly message: Message
}

function targetOf(args: Json, workspace: Workspace): Target {
  const shared = sharedBy(args, workspace)
  const [channelId, ts] = shared
    ? [shared.channelId, shared.ts]
    : [text(args.channel), text(args.ts)]
  const message = workspace.find(channelId ?? '', ts ?? '')
  if (!message) throw new Refused('cannot_find_message')
  return { shared, message }
}

/** What the bot was told; undefined for a message that it was told nothing of. */
function sharedBy(args: Json, { channels, sharedLinks }: Workspace): SharedLink | undefined {
  const [channelId, ts, id, source] = ['channel', 'ts', 'unfurl_id', 'source'].map((name) =>
    text(args[name]),
  )
  if (id !== undefined || source !== undefined) {
    if (!id) throw new Refused('missing_unfurl_id')
    if (!source) throw new Refused('missing_source')
    if (source !== 'composer' && source !== 'conversations_history')
      throw new Refused('invalid_source')
    const told = sharedLinks.byId(id, source)
    if (!told) throw new Refused('invalid_unfurl_id')
    return told
  }
  if (!channelId) throw new Refused('missing_channel')
  if (!ts) throw new Refused('missing_ts')
  const shared = sharedLinks.at(channelId, ts)
  if (shared === undefined && channelId !== 'COMPOSER' && !channels.has(channelId))
    throw new Refused('cannot_find_channel')
  return shared
}

/** Links of other domains are not the app's, nor those that it was not told of. */
function checkTold(url: string, { shared, message }: Target): void {
  if (shared?.urls.includes(url)) return
  throw new Refused(
    linksIn(message.text).includes(url) ? 'cannot_unfurl_url' : 'cannot_unfurl_message',
  )
}

function attach({ message }: Target, given: ReadonlyMap<string, Json>, workspace: Workspace): void {
  const unfurls = [...message.unfurls]
  for (const [url, attachment] of given) {
    const blocks = fillIds(records(attachment.blocks), workspace.stamps)
    const at = unfurls.findIndex((one) => one.url === url)
    const place = at < 0 ? unfurls.length : at
    unfurls[place] = { id: place + 1, url, attachment: { ...attachment, blocks } }
  }
  workspace.unfurl(message, unfurls)
}

/** Shows the one who wrote the link, and nobody else, how to connect. */
function ask(args: Json, { shared, message }: Target, workspace: Workspace): Json {
  const userId = shared?.userId
  if (!shared) throw new Refused('cannot_unfurl_url')
  if (userId === undefined) throw new Refused('cannot_auth_user')
  const url = text(args.user_auth_url)
  const words =
    text(args.user_auth_message) ||
    (url ? `<${url}|Connect> to show a preview.` : 'Install the app to show a preview.')
  const { channelId, threadTs } = message
  workspace.post({
    ...readNewMessage({ text: words, blocks: args.user_auth_blocks }),
    channelId,
    threadTs,
    authorId: workspace.bot.userId,
    ephemeralFor: userId,
    via: 'chat.unfurl',
  })
  return { ok: true }
}
