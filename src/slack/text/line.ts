// A line that somebody typed, as it comes in: whole, or not at all. A part of it could grant to fewer people than it
// names, or to an address that was cut. Pure.

/**
 * Characters of a command, a mention or a direct message, as Slack sends them: room for twenty addresses of 254
 * characters each, which are some 10,400 in Slack's markup (`<mailto:a|a>`).
 */
export const longestLine = 12_000

/**
 * Characters of a line that is read before its sender is counted: what is let in however fast somebody asks is a word or
 * two, such as `disconnect`.
 */
export const longestFree = 200

/** As Slack sends it, escaped; of what is too long to be read its length alone. */
export type Line = { readonly text: string } | { readonly tooLong: number }

export function lineOf(text: string): Line {
  return text.length <= longestLine ? { text } : { tooLong: text.length }
}
