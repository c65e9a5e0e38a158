// Which commands a line could become, and how the one in it goes on.
import { useState } from 'preact/hooks'
import type { Command } from '../state.ts'

/** Those that the word begins; none once it is followed by anything. */
function begun(line: string, commands: readonly Command[]): readonly Command[] {
  return /^\/\S*$/.test(line) ? commands.filter(({ name }) => name.startsWith(line.toLowerCase())) : []
}

/** The command whose arguments are being typed. */
export function commandOf(line: string, commands: readonly Command[]): Command | undefined {
  const [, word] = /^(\/\S+)\s/.exec(line) ?? []
  return commands.find(({ name }) => name === word)
}

export interface Completion {
  /** Empty when there is nothing to choose. */
  readonly offers: readonly Command[]
  readonly selected: number
  choose(command: Command): void
  /** @returns True when the key was for the list. */
  takeKey(key: string): boolean
}

/** @param line - What is typed; empty when nothing shall be offered. */
export function useCompletion(
  line: string,
  commands: readonly Command[],
  setLine: (line: string) => void,
): Completion {
  const [mark, setMark] = useState({ line: '', at: 0 })
  const [closedFor, setClosedFor] = useState<string>()
  const offers = closedFor === line ? [] : begun(line, commands)
  const selected = mark.line === line ? Math.min(mark.at, offers.length - 1) : 0
  const choose = ({ name }: Command) => setLine(`${name} `)

  const takeKey = (key: string): boolean => {
    const command = offers[selected]
    if (command === undefined) return false
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setMark({ line, at: (selected + step + offers.length) % offers.length })
    else if (key === 'Escape') setClosedFor(line)
    else if (key === 'Tab') choose(command)
    // A whole command is sent as it stands.
    else if (key === 'Enter' && command.name !== line) choose(command)
    else return false
    return true
  }
  return { offers, selected, choose, takeKey }
}
