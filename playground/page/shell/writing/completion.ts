// Completions of a line: a command for its first word, a person or Bellhop for an “@…” at its end.
import { useEffect, useState } from 'preact/hooks'
import type { Command, PageState } from '../../state/state.ts'

/** One entry of the list. */
export interface Offer {
  /** In bold: `/alert`, `@dave`, `@Bellhop`. */
  readonly name: string
  /** What follows the name: a usage hint, a person's full name. */
  readonly more: string
  readonly description: string
  /** The line when it is chosen. */
  readonly line: string
}

type Known = Pick<PageState, 'commands' | 'members' | 'names'>

function offersFor(line: string, known: Known): readonly Offer[] {
  // A command is completed while it is the only word.
  if (/^\/\S*$/.test(line)) return commandsBegunBy(line, known)
  const [, before, word] = /^([\s\S]*\s|)@(\S*)$/.exec(line) ?? []
  return before === undefined || word === undefined ? [] : mentionsBegunBy(word, before, known)
}

function commandsBegunBy(word: string, { commands }: Known): readonly Offer[] {
  return commands
    .filter(({ name }) => name.startsWith(word.toLowerCase()))
    .map(({ name, usageHint, description }) => ({ name, more: usageHint, description, line: `${name} ` }))
}

function mentionsBegunBy(word: string, before: string, { members, names }: Known): readonly Offer[] {
  const people = members.map(({ id, name }) => ({ short: names[id] ?? name, name }))
  // A command gets people: of all commands, only /invite is about the app.
  const apps = /^\/(?!invite\b)/.test(before) ? [] : [{ short: 'Bellhop', name: 'App' }]
  return [...apps, ...people]
    .filter(({ short, name }) =>
      [short, name].some((one) => one.toLowerCase().startsWith(word.toLowerCase())),
    )
    .map(({ short, name }) => ({
      name: `@${short}`,
      more: name,
      description: '',
      line: `${before}@${short} `,
    }))
}

/** The command whose arguments are being typed. */
export function commandOf(line: string, commands: readonly Command[]): Command | undefined {
  const [, word] = /^(\/\S+)\s/.exec(line) ?? []
  return commands.find(({ name }) => name === word)
}

export interface Completion {
  /** Empty when there is nothing to choose. */
  readonly offers: readonly Offer[]
  readonly selected: number
  choose(offer: Offer): void
  /** @returns True when the key was for the list. */
  takeKey(key: string): boolean
}

/** @param line - What is typed; empty when nothing shall be offered. */
export function useCompletion(line: string, known: Known, setLine: (line: string) => void): Completion {
  const [mark, setMark] = useState({ line: '', at: 0 })
  const [closedFor, setClosedFor] = useState<string>()
  // It is closed for as long as the line stays as it is.
  useEffect(() => setClosedFor((closed) => (closed === line ? closed : undefined)), [line])
  const offers = closedFor === line ? [] : offersFor(line, known)
  const selected = mark.line === line ? Math.min(mark.at, offers.length - 1) : 0
  const choose = (offer: Offer) => setLine(offer.line)

  const takeKey = (key: string): boolean => {
    const offer = offers[selected]
    if (offer === undefined) return false
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setMark({ line, at: (selected + step + offers.length) % offers.length })
    else if (key === 'Escape') setClosedFor(line)
    else if (key === 'Tab') choose(offer)
    // A whole command is sent as it stands.
    else if (key === 'Enter' && offer.name !== line) choose(offer)
    else return false
    return true
  }
  return { offers, selected, choose, takeKey }
}
