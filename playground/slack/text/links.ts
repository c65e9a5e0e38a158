// Links in a message, and which of them belong to the app. Source: docs.slack.dev/messaging/unfurling-links-in-messages.
import { tokensOf } from '../check/mrkdwn.ts'
import { isRecord, type Json } from '../model/json.ts'

/** As `link_shared` tells them. */
export interface AppLink {
  /** The registered domain. */
  readonly domain: string
  /** As it stands in the message: `&` is `&amp;`. */
  readonly url: string
}

/** The links of these domains, once each, in the order they stand. */
export function appLinks(
  text: string,
  blocks: readonly Json[],
  domains: readonly string[],
): AppLink[] {
  const urls = new Set([...linksIn(text), ...walk(blocks)])
  return [...urls].flatMap((url) => {
    const domain = domainOf(url, domains)
    return domain === undefined ? [] : [{ domain, url }]
  })
}

/** Every web link, as Slack writes it. Bare ones too: Slack makes links of them. */
export function linksIn(mrkdwn: string): string[] {
  let rest = mrkdwn
  const marked = tokensOf(mrkdwn).flatMap(({ kind, target, raw }) => {
    rest = rest.replace(raw, ' ')
    return kind === 'link' && /^https?:/i.test(target) ? [target] : []
  })
  const bare = [...rest.matchAll(/https?:\/\/[^\s<>|"“”]+/gi)].map(([url]) => withoutStop(url))
  return [...marked, ...bare]
}

/** Without the punctuation that follows a link in a sentence. The `;` of `&amp;` belongs to it. */
export function withoutStop(url: string): string {
  let end = url.length
  const stop = () =>
    /(?:&gt;|(?<!&amp)[.,;:!?)\]])$/.exec(url.slice(Math.max(0, end - 5), end))?.[0].length ?? 0
  while (stop() > 0) end -= stop()
  return url.slice(0, end)
}

function* walk(node: unknown): Iterable<string> {
  if (Array.isArray(node)) {
    for (const item of node) yield* walk(item)
    return
  }
  if (!isRecord(node)) return
  const { type, text, url } = node
  if ((type === 'mrkdwn' || type === 'markdown') && typeof text === 'string') yield* linksIn(text)
  else if (type === 'link' && typeof url === 'string') yield url.replaceAll('&', '&amp;')
  for (const value of Object.values(node)) yield* walk(value)
}

/** The domain itself or a subdomain of it, whatever the port. Addresses in numbers and bare names are no domains. */
function domainOf(url: string, domains: readonly string[]): string | undefined {
  const plain = url.replaceAll('&amp;', '&')
  const host = URL.canParse(plain) ? new URL(plain).hostname : ''
  return domains
    .filter((domain) => domain.includes('.') && !/^[\d.]+$/.test(domain))
    .find((domain) => host === domain || host.endsWith(`.${domain}`))
}
