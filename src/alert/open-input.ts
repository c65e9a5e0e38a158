// Reads what somebody asks of `/alert open`: which container, how grave, whose. Pure.
import { readWords, type Word } from '../slack/text/typed.ts'

export interface OpenAsk {
  /** A number, or a name; undefined where none was named. */
  readonly container: number | string | undefined
  /** At least as grave, as it was typed: one of the operator's names, or a number from 0 to 7. */
  readonly least: string | undefined
  readonly whose: 'mine' | 'unassigned' | undefined
  /** So many are left out: they were shown before. */
  readonly after: number
}

const number = /^\d{1,15}$/

/** @param words - Behind `open`, in any order; what is nothing else is the container's name. */
export function readOpen(words: readonly Word[]): OpenAsk {
  const named: string[] = []
  let least: string | undefined
  let whose: OpenAsk['whose']
  let after = 0
  for (let at = 0; at < words.length; at += 1) {
    const { text, isQuoted } = words[at] ?? { text: '', isQuoted: false }
    const word = isQuoted ? '' : text.toLowerCase()
    const next = words[at + 1]?.text
    if (word === 'mine' || word === 'unassigned') whose = word
    else if (word === 'min' && next !== undefined) {
      least = next
      at += 1
    } else if (word === 'after' && next !== undefined && number.test(next)) {
      after = Number(next)
      at += 1
    } else if (word !== 'all') named.push(text)
  }
  const name = named.join(' ')
  const container = named.length === 1 && number.test(name) ? Number(name) : name || undefined
  return { container, least, whose, after }
}

/** Reads what `openLine` wrote. */
export function readOpenLine(line: string): OpenAsk {
  return readOpen(readWords(line).slice(1))
}

/** The line that asks for the same, behind `/alert`: buttons carry it, and what waits for an account. */
export function openLine({ container, least, whose, after }: OpenAsk): string {
  const named = typeof container === 'string' ? `"${container}"` : container
  const words = ['open', named, least && `min ${least}`, whose, after > 0 && `after ${after}`]
  return words.filter(Boolean).join(' ')
}
