// Previews alerts’ links for everybody in the conversation, with the poster’s token. Nobody asked, so failures stay silent,
// but for a token that is refused.

import { withToken } from '../account/connect-first.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { noNames } from '../names/names.ts'
import { orRefusal, unlessSlackFails } from '../slack/client.ts'
import { type From, wasSaid } from '../slack/guard/requests.ts'
import type { Message, Posted } from '../slack/outbound/message.ts'
import { type Account, isDirectId } from '../slack/person.ts'
import type { EventRequest } from '../slack/routes.ts'
import { unescapeText } from '../slack/text/mrkdwn.ts'
import { dayMs } from '../work/durations.ts'
import { namesShownIn } from './cards.ts'
import { type LinkAsk, type Lookup, parseKey } from './input.ts'
import { findAlert } from './look-up.ts'
import { renderUnfurl, unfurlReason } from './render/card.ts'
import { readForAsker } from './show.ts'

interface PostedLinks extends Posted {
  /** Links as Slack wrote them: Slack finds a preview’s link by this text. */
  readonly urls: readonly string[]
}

/** Further links of alerts in one message stay links. */
const mostPreviews = 5
const monthMs = 30 * dayMs

/** How long Slack may take to tell that a message with links also mentions the bot; nobody waits for a preview. */
const mentionsWithinMs = 1_500

/** Previews the links in a posted message; but not for webhooks, bots, strangers, and people past their limit. */
export async function previewLinks(
  house: House,
  { workspaceId, event }: EventRequest<'link_shared'>,
): Promise<void> {
  const { user: userId, channel: channelId, message_ts: ts, thread_ts: threadTs, source } = event
  // Webhooks have no user. What is still being written in the composer is perhaps never posted.
  if (!userId || source === 'composer' || !house.config.unfurls) return
  if (house.slack.charge(userId) > 0) return

  const writer = await unlessSlackFails(house.slack.people.writerOf(userId), ['missing_scope'])
  if (!writer || writer.isBot || writer.isStranger) return

  // Words said to the bot are answered anyway, and may ask for a private answer, which a preview would spoil.
  await house.wait(mentionsWithinMs)
  if (await wasSaid(house, workspaceId, { channelId, ts })) return

  const asker = { workspaceId, userId, name: writer.shownName }
  const place = { userId, channelId, isDirect: isDirectId(channelId), threadTs }
  const urls = event.links.map(({ url }) => url)
  await unfurl(house, { asker, place }, { channelId, ts, urls })
}

/** Also runs long after posting, once an account is connected: the links are still there. */
export async function unfurl(house: House, from: From, posted: PostedLinks): Promise<void> {
  const { asker } = from
  const asks = new Map<string, Lookup | LinkAsk>()
  for (const url of posted.urls) {
    const ask = parseKey(unescapeText(url), house.config.alertUrl)
    if (ask.kind === 'look-up' && asks.size < mostPreviews) asks.set(url, ask)
  }
  if (asks.size === 0) return

  const links = { ...posted, urls: [...asks.keys()] }
  const preview = async (token: string) => {
    const previews = new Map<string, Message>()
    const read = [...asks].map(async ([url, ask]) => {
      const message = await previewOf(house, { owner: asker, token }, ask, posted)
      if (message) previews.set(url, message)
    })
    await Promise.all(read)
    if (previews.size > 0) await send(house, house.slack.unfurl(links, previews))
  }

  await withToken(house, from, { feature: 'unfurl', ask: links }, preview, {
    text: unfurlReason,
    async send(message) {
      // One prompt a month is enough, seen or not, as nobody has asked for it.
      const isFirst = await house.storage.once.claim(
        asker.workspaceId,
        `unfurl ${asker.userId}`,
        monthMs,
      )
      if (isFirst) await send(house, house.slack.promptBelow(links, message))
    },
  })
}

async function previewOf(
  house: House,
  reader: Account,
  ask: Lookup | LinkAsk,
  { channelId }: Posted,
) {
  try {
    const found = await findAlert(house, reader, ask)
    if ('several' in found) return undefined

    const alert = await readForAsker(house, reader, found.ks)
    const place = await house.storage.places.find(reader.owner.workspaceId, alert.ks)
    const asset = place && (await house.assets.nameOf(reader, place, false))
    const where = { isPrivate: isDirectId(channelId), channelId }
    const shown = await namesShownIn(house, where, { names: noNames, asset })

    return renderUnfurl(house.config, alert, shown.asset)
  } catch (error) {
    const isSaid = error instanceof MonitorError && error.code === 'refused'
    if (isSaid || !(error instanceof MonitorError || error instanceof UserError)) throw error

    return undefined
  }
}

/** Only logs Slack’s refusal: the link may be gone by now. */
async function send({ log }: House, sending: Promise<void>): Promise<void> {
  const refusal = await orRefusal(sending)
  if (refusal) log.info({ refusal: refusal.word }, 'Slack does not show what belongs to a link')
}
