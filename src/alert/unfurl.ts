// Previews of links that somebody posts: each gets its alert's state below it, read with the poster's token, for
// everybody there. As nobody asked for anything, nobody is told of failures: a link then stays a link.
import { z } from 'zod'
import { type Resumed, withToken } from '../account/connect-first.ts'
import { MonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import { mayBeDone, waitSecondsOf, wordOf } from '../slack/client/slack-error.ts'
import { doOnce } from '../slack/guard/once.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Message } from '../slack/outbound/message.ts'
import { unescapeText } from '../slack/text/mrkdwn.ts'
import { type LinkAsk, type Lookup, parseKey } from './input.ts'
import type { AlertLink } from './link.ts'
import { findByLink } from './look-up.ts'
import { OwnToken, readForAsker } from './read.ts'
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
      const read = known
        .slice(0, mostPreviews)
        .map(async ({ url, ask }) => [url, await previewOf(house, asker, token, ask)] as const)
      const shown = (await Promise.all(read)).flatMap(([url, preview]) =>
        preview === undefined ? [] : [[url, preview] as const],
      )
      if (shown.length > 0) await tryToUnfurl(house, links, new Map(shown))
    },
    {
      text: unfurlReason,
      send(message) {
        const { workspaceId, userId } = asker
        return doOnce(house, { workspaceId, key: `unfurl ${userId}`, withinMs: monthMs }, () =>
          askPoster(house, links, message),
        )
      },
    },
  )
}

/** However long it has waited, as long as it is kept: the link still stands there. */
export function resumeUnfurl(house: House, from: From, { ask }: Resumed): Promise<void> {
  return unfurl(house, from, postedLinks.parse(ask))
}

/** Undefined when there is nothing to show. */
async function previewOf(house: House, asker: SlackUser, token: string, ask: Lookup | LinkAsk) {
  try {
    const ks = 'link' in ask ? await keyByLink(house, asker, token, ask.link) : ask.ks
    if (ks === undefined) return undefined
    return renderUnfurl(house.config, await readForAsker(house, asker, token, ks))
  } catch (error) {
    // A link that holds their own token is not looked up, and a preview is not the place to say so.
    if (error instanceof OwnToken) return undefined
    if (!(error instanceof MonitorError) || error.code === 'refused') throw error
    return undefined
  }
}

/** Undefined where none fits the link, or several do. */
async function keyByLink(
  house: House,
  asker: SlackUser,
  token: string,
  link: AlertLink,
): Promise<string | undefined> {
  const found = await findByLink(house, asker, token, link)
  return found.kind === 'one' ? found.ks : undefined
}

function mayPass(error: unknown): boolean {
  return mayBeDone(error) || waitSecondsOf(error) !== undefined
}

/**
 * Sends previews; a refusal that does not pass is only logged. The link may be gone by now, and whoever posted it has
 * asked for nothing.
 * @throws What may pass, so that it is tried again.
 */
async function tryToUnfurl(
  { slack, log }: House,
  links: PostedLinks,
  previews: ReadonlyMap<string, Message>,
): Promise<void> {
  try {
    await slack.unfurl(links, previews)
  } catch (error) {
    if (mayPass(error)) throw error
    log.info({ refusal: wordOf(error) }, 'Slack does not show a preview of a link')
  }
}

/**
 * Asks whoever posted links for an account, alone, below the links.
 * @returns False when they were not asked, so that their next link asks them.
 * @throws What may pass, so that it is tried again.
 */
async function askPoster({ slack, log }: House, links: PostedLinks, prompt: Message): Promise<boolean> {
  try {
    await slack.promptBelow(links, prompt)
    return true
  } catch (error) {
    if (mayPass(error)) throw error
    const refusal = wordOf(error)
    // They have said that they do not want to be asked.
    if (refusal === 'cannot_prompt') return true
    log.warn({ refusal }, 'whoever posted a link could not be asked for an account')
    return false
  }
}
