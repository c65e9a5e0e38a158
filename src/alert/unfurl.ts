// Previews of links that somebody posts: each gets its alert's state below it, read with the poster's token, for
// everybody there. As nobody asked for anything, nobody is told of failures: a link then stays a link.
import { z } from 'zod'
import { type Resumed, withToken } from '../account/connect-first.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { mayBeDone, waitSecondsOf, wordOf } from '../slack/client/slack-error.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Message } from '../slack/outbound/message.ts'
import { unescapeText } from '../slack/text/mrkdwn.ts'
import { type LinkAsk, type Lookup, parseKey } from './input.ts'
import { findByLink } from './look-up.ts'
import { readForAsker } from './read.ts'
import { renderUnfurl, unfurlReason } from './render/card.ts'

/** What was posted, and where. */
const postedLinks = z.object({
  channelId: z.string(),
  ts: z.string(),
  /** As Slack wrote them: they are named so when something is attached to them. */
  urls: z.array(z.string()),
})
export type PostedLinks = z.infer<typeof postedLinks>

/** Further links of alerts in one message stay links. */
const mostPreviews = 5
const monthMs = 30 * 24 * 60 * 60_000

export async function unfurl(house: House, from: From, links: PostedLinks): Promise<void> {
  const { asker } = from
  const { alertUrl } = house.config
  const known = links.urls.flatMap((url) => {
    const ask = parseKey(unescapeText(url), alertUrl)
    return ask.kind === 'look-up' ? [{ url, ask }] : []
  })
  if (known.length === 0) return
  const wanted = { feature: 'unfurl', ask: links } as const
  await withToken(
    house,
    from,
    wanted,
    async (token) => {
      const previews = new Map<string, Message>()
      const show = async ({ url, ask }: (typeof known)[number]) => {
        const preview = await previewOf(house, asker, token, ask)
        if (preview !== undefined) previews.set(url, preview)
      }
      await Promise.all(known.slice(0, mostPreviews).map(show))
      if (previews.size > 0) await send(house, house.slack.unfurl(links, previews))
    },
    {
      text: unfurlReason,
      async send(message) {
        const { once } = house.storage
        const claim = [asker.workspaceId, `unfurl ${asker.userId}`] as const
        if (!(await once.claim(...claim, monthMs))) return
        const isOver = await send(house, house.slack.promptBelow(links, message))
        if (!isOver) await once.release(...claim)
      },
    },
  )
}

/** However long it has waited, as long as it is kept: the link still stands there. */
export function resumeUnfurl(house: House, from: From, { ask }: Resumed): Promise<void> {
  return unfurl(house, from, postedLinks.parse(ask))
}

/** Undefined when there is nothing to show. A preview is not the place to say why. */
async function previewOf(house: House, asker: SlackUser, token: string, ask: Lookup | LinkAsk) {
  try {
    const [ks, ...others] = 'link' in ask ? await findByLink(house, asker, token, ask.link) : [ask.ks]
    return others.length > 0
      ? undefined
      : renderUnfurl(house.config, await readForAsker(house, asker, token, ks))
  } catch (error) {
    const isSaid = error instanceof MonitorError && error.code === 'refused'
    if (isSaid || !(error instanceof MonitorError || error instanceof UserError)) throw error
    return undefined
  }
}

/**
 * Sends what belongs to links. Slack's refusal is only logged: the link may be gone by now, and whoever posted it has
 * asked for nothing.
 */
async function send({ log }: House, sending: Promise<void>): Promise<boolean> {
  try {
    await sending
    return true
  } catch (error) {
    if (mayBeDone(error) || waitSecondsOf(error) !== undefined) throw error
    const refusal = wordOf(error)
    log.info({ refusal }, 'Slack does not show what belongs to a link')
    // They have said that they do not want to be asked.
    return refusal === 'cannot_prompt'
  }
}
