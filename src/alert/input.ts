// What somebody asks of `/alert`: a key, a link, help. Pure.
import { readWords, type Word } from '../slack/typed.ts'

export interface Lookup {
  readonly ks: string
  readonly isPrivate: boolean
}

export type AlertAsk =
  | { readonly kind: 'help' | 'connect' | 'disconnect' | 'form' }
  | ({ readonly kind: 'look-up' } & Lookup)
  | { readonly kind: 'problem'; readonly problem: string }

/** Keys are short; longer ones are pasted by mistake and would not fit a request line. */
const longestKey = 500

/** @param alertUrl - The web link of an alert with `{ks}` in it (MONITOR_ALERT_URL), when there is one. */
export function parseAlert(line: string, alertUrl: string | undefined): AlertAsk {
  const words = readWords(line)
  const [first, ...others] = words
  if (first === undefined) return { kind: 'form' }
  if (others.length === 0 && !first.isQuoted) {
    const word = first.text.toLowerCase()
    if (word === 'help' || word === 'connect' || word === 'disconnect') return { kind: word }
    if (word === 'private') return { kind: 'form' }
  }
  const isPrivate = others.some(isTheWord('private'))
  const unknown = others.filter((word) => !isTheWord('private')(word))
  if (unknown.length > 0) return { kind: 'problem', problem: tooManyWords(first, unknown) }
  return readKey(first.text, alertUrl, isPrivate)
}

/** The key in a modal's field: as on the line, but spaces need no quotes. */
export function parseKey(typed: string, alertUrl: string | undefined): AlertAsk {
  const words = readWords(typed)
  const [only] = words
  if (only === undefined)
    return { kind: 'problem', problem: 'Type the alert key, or paste the link of the alert.' }
  return readKey(words.length === 1 ? only.text : typed.trim(), alertUrl, false)
}

function isTheWord(expected: string): (word: Word) => boolean {
  return (word) => !word.isQuoted && word.text.toLowerCase() === expected
}

function tooManyWords(first: Word, unknown: readonly Word[]): string {
  const words = unknown.map(({ text }) => `“${text}”`).join(' ')
  if (first.isQuoted) return `${words} is nothing that /alert knows. After the key there can be: private.`
  const whole = [first, ...unknown].map(({ text }) => text).join(' ')
  return `${words} is nothing that /alert knows. A key with spaces goes in quotes: /alert "${whole}"`
}

function readKey(text: string, alertUrl: string | undefined, isPrivate: boolean): AlertAsk {
  const found = /^https?:\/\//i.test(text) ? keyInLink(text, alertUrl) : { ks: text }
  if ('problem' in found) return { kind: 'problem', problem: found.problem }
  const { ks } = found
  if (ks.trim() === '' || ks === '.' || ks === '..' || !ks.isWellFormed() || ks.length > longestKey) {
    return { kind: 'problem', problem: 'That is not an alert key. Copy the key or the link from the alert.' }
  }
  return { kind: 'look-up', ks, isPrivate }
}

/** Reads the key out of an alert's web link; the link itself is never fetched. */
export function keyInLink(
  link: string,
  alertUrl: string | undefined,
): { readonly ks: string } | { readonly problem: string } {
  if (alertUrl === undefined) {
    return { problem: 'Links are not set up here (MONITOR_ALERT_URL). Use the alert key instead.' }
  }
  const [before = '', after = ''] = alertUrl.split('{ks}')
  const isOurs = link.toLowerCase().startsWith(before.toLowerCase())
  // What follows the key may go on with a query or fragment that the browser added.
  const [encoded = ''] = isOurs ? link.slice(before.length).split(after === '' ? /[/?#&]/ : after) : []
  if (encoded === '')
    return { problem: 'That link does not lead to an alert. Copy the link of the alert itself.' }
  try {
    return { ks: decodeURIComponent(encoded) }
  } catch {
    return { problem: 'That link is broken. Copy it again from the alert.' }
  }
}
