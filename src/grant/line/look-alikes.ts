// Letters that may be taken for others: an address can look like a colleague's and be somebody else's. Pure.
import { codePoint } from '../../slack/text/typed.ts'
import type { Wish } from '../wish.ts'

/** The letters of an address that are not a to z, such as “а (U+0430)”; undefined when it has none. */
export function unusualIn(email: string): string | undefined {
  const unusual = [...new Set(email)].filter((letter) => !/[\x21-\x7e]/.test(letter))
  if (unusual.length === 0) return undefined
  return unusual.map((letter) => `${letter} (${codePoint(letter)})`).join(', ')
}

/** Raw text, one line each; empty when every address is in plain letters. */
export function lookAlikeReasons({ emails }: Wish): readonly string[] {
  const named = emails.flatMap((email) => {
    const unusual = unusualIn(email)
    return unusual === undefined ? [] : [`• ${email}: ${unusual}`]
  })
  if (named.length === 0) return []
  return ['Careful: some of these letters aren’t a to z, even if they look like it:', ...named]
}
