// The mailbox that an address reaches, to tell whether two addresses are one person’s. For who may approve, never for
// what is sent. Pure.
import { domainToASCII } from 'node:url'

/** Gmail ignores dots in front of the @, and has two names. */
const gmail: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])
/** What cannot be seen, and what only quotes. */
const ignored = /[\p{C}\p{Default_Ignorable_Code_Point}\s"\\]/gu

/**
 * One text for all addresses that reach one mailbox, as most mail servers see it: capitals, wide letters, quotes, signs
 * that cannot be seen, a `+tag`, a last dot and the two ways to write a domain make no difference. Where a server does
 * tell `dave+x` from `dave`, two people look like one: then another colleague has to approve.
 */
export function mailboxOf(address: string): string {
  // Folding may write such a sign where none was, and one that goes may have kept a letter and its accent apart.
  const text = folded(folded(address.replaceAll(ignored, '')).replaceAll(ignored, ''))
  const at = text.lastIndexOf('@')
  if (at === -1) return text
  const domain = domainOf(text.slice(at + 1))
  const local = withoutTag(text.slice(0, at))
  return gmail.has(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC')
}

/** What is nothing but a tag is a name. */
function withoutTag(local: string): string {
  const plus = local.indexOf('+')
  return plus > 0 ? local.slice(0, plus) : local
}

function domainOf(domain: string): string {
  const ascii = domainToASCII(domain) || domain
  let end = ascii.length
  while (ascii[end - 1] === '.') end -= 1
  return ascii.slice(0, end)
}
