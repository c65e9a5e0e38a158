// Reads and builds web links of alerts in the form of MONITOR_ALERT_URL; never fetches them. Pure.
//
// A form has {ks}, so that its links hold the alert’s key, or {asset} and {timestamp}: then a link only says where to look,
// among the open alerts of that asset, opened in that second. The service’s own links have the second form.
import { z } from 'zod'

/** Placeholders of a form without `{ks}`, which has at least the first two. */
export const linkParts = ['asset', 'timestamp', 'container', 'condition', 'item'] as const

const longestItem = 200
const digits = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)

/** A link without a key, decoded. Parts that only help to find the page again are left out if they can’t be stored. */
const alertLinkSchema = z.object({
  asset: digits,
  /** Opening time, in Unix seconds. */
  timestamp: digits,
  container: digits.optional(),
  condition: digits.optional().catch(undefined),
  /** Name of the item, raw. Left out if it is too long: a shortened name would lead nowhere. */
  item: z.string().max(longestItem).refine(isStorable).optional().catch(undefined),
})

export type AlertLink = Readonly<z.infer<typeof alertLinkSchema>>

/** True of text that PostgreSQL can keep. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

const longestLink = 2_000

export function holdsKey(alertUrl: string): boolean {
  return alertUrl.includes('{ks}')
}

const elsewhere = {
  problem: 'That link doesn’t lead to an alert. Copy the link to the alert itself.',
}

/** Reads a link: its alert’s key or, if links here have no key, where to look. `problem`: why it can’t be read, raw. */
export function keyInLink(
  link: string,
  alertUrl: string | undefined,
): { readonly ks: string } | { readonly link: AlertLink } | { readonly problem: string } {
  if (!alertUrl) {
    const remedy = 'Use the alert key, or ask whoever runs Bellhop.'
    return { problem: `Links aren’t set up here (MONITOR_ALERT_URL). ${remedy}` }
  }

  const parts = addressesInLink(link)
    .map((one) => partsOf(one, alertUrl))
    .find((found) => found)
  if (holdsKey(alertUrl)) return parts?.ks ? { ks: parts.ks } : elsewhere

  const { data: found } = alertLinkSchema.safeParse(parts)
  return found ? { link: found } : elsewhere
}

/** The link itself, and links in its parameters: mail gateways and search pages put the link that they lead to there. */
function addressesInLink(link: string) {
  const inside = URL.parse(link)?.searchParams.values() ?? []
  return [link, ...[...inside].filter((one) => /^https?:/i.test(one))]
}

type Parts = Partial<Record<string, string>>

/** True of a web address, and of an alert’s link without `https://`, as some browsers copy it. */
export function looksLikeLink(text: string, alertUrl = ''): boolean {
  if (/^https?:\/\//i.test(text)) return true

  const [host] = alertUrl.replace(/^https?:\/\//i, '').split('/', 1)
  return Boolean(host) && text.toLowerCase().startsWith(`${host}/`.toLowerCase())
}

/**
 * Parts of a link; undefined if the link doesn’t fit the form. Parameters may come in any order, with others between them.
 */
function partsOf(link: string, alertUrl: string): Parts | undefined {
  if (link.length > longestLink) return undefined

  const form = URL.parse(alertUrl)
  const url = URL.parse(/^https?:\/\//i.test(link) ? link : `https://${link}`)
  if (!form || url?.host !== form.host) return undefined

  const inAddress = partsIn(form.pathname + form.search, url.pathname + url.search)
  // Some pages keep their place behind #; a form without # ignores what a link has there.
  const inHash = form.hash === '' ? {} : partsIn(form.hash, url.hash)
  return inAddress && inHash && { ...inAddress, ...inHash }
}

const placeholder = /\{(\w+)\}/g
const queryBegins = /\?(.*)/s

/** Parts of an address behind its host, or of what is behind #. Undefined if the text doesn’t fit the form. */
function partsIn(form: string, text: string): Parts | undefined {
  // URL writes braces in a path with percent signs.
  const [formPath = '', formQuery = ''] = form
    .replaceAll(/%7B(\w+)%7D/gi, '{$1}')
    .split(queryBegins)
  const [path = '', query = ''] = text.split(queryBegins)
  const parts = matchText(formPath.replace(/\/$/, ''), path.replace(/\/$/, ''), '[^/]+')
  const found = parts && decodeAll(parts)
  if (!found) return undefined

  const given = new URLSearchParams(query)
  for (const [name, value] of new URLSearchParams(formQuery)) {
    const typed = given.get(name) ?? ''
    // A missing or empty parameter is fine here: the caller knows whether its part is needed.
    if (typed === '' && /\{\w+\}/.test(value)) continue

    const inValue = matchText(value, typed, '[^]+')
    if (!inValue) return undefined

    Object.assign(found, inValue)
  }

  return found
}

/** @param inside - Pattern for what a placeholder may stand for. */
function matchText(form: string, text: string, inside: string): Parts | undefined {
  // Every second piece is the name of a placeholder.
  const pieces = form
    .split(placeholder)
    .map((piece, at) => (at % 2 === 1 ? `(?<${piece}>${inside})` : escapePattern(piece)))
  const found = new RegExp(`^${pieces.join('')}$`, 'i').exec(text)
  return found ? { ...found.groups } : undefined
}

const escapePattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

function decodeAll(parts: Parts): Parts | undefined {
  try {
    return Object.fromEntries(
      Object.entries(parts).map(([name, value = '']) => [name, decodeURIComponent(value)]),
    )
  } catch {
    return undefined
  }
}

/**
 * An alert’s link from these parts alone. Parameters whose part is missing are left out.
 * @returns Undefined if a part is missing that the form has elsewhere than in a parameter.
 */
export function buildAlertLink(
  link: Readonly<Record<string, string | number | undefined>>,
  alertUrl: string,
): string | undefined {
  const isKnown = (text: string) =>
    [...text.matchAll(placeholder)].every(([, part = '']) => link[part] !== undefined)
  const form = alertUrl.replaceAll(/\?([^#]*)/g, (_, query: string) => {
    const known = query.split('&').filter(isKnown)
    return known.length === 0 ? '' : `?${known.join('&')}`
  })
  if (!isKnown(form)) return undefined

  return form.replaceAll(placeholder, (_, part: string) =>
    encodeURIComponent(String(link[part]).toWellFormed()),
  )
}
