// Addresses that a text from outside may link to.

const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:', 'slack:'])

/** The address when Slack would make a link of it; undefined for `javascript:` and whatever else could act here. */
export function safeAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  return schemes.has(new URL(url).protocol) ? url : undefined
}
