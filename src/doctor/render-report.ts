// What doctor found as plain text: for a terminal, and to paste into a ticket. Pure.

import { oneLine } from '../log/line.ts'
import { redact } from '../log/log.ts'
import type { Finding } from './checks/check.ts'

// Not from within a longer word: a long one without an @ is read once.
const mailAddress = /(?<![^\s@<>()"',;:])[^\s@<>()"',;:]+@[^\s@<>()"',;:]+\.[^\s@<>()"',;:.]+/g

/**
 * Without tokens and addresses of people.
 * @param places - Hosts and files of the operator, left out as well.
 */
export function withoutSecrets(text: string, places: readonly string[]): string {
  const shown = redact(text).replaceAll(mailAddress, '[address]')
  // Longer ones first: one may be part of another.
  const longestFirst = places.toSorted((a, b) => b.length - a.length)
  return longestFirst.reduce((rest, place) => rest.replaceAll(standing(place), '[place]'), shown)
}

/** Not inside of a longer name. */
function standing(place: string): RegExp {
  const literally = place.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(`(?<![\\w.-])${literally}(?![\\w-])`, 'g')
}

const stateWidth = 'GREEN'.length

/** One line each, and its mend below, in columns. */
export function renderReport(title: string, findings: readonly Finding[]): string {
  const width = Math.max(0, ...findings.map(({ name }) => name.length))
  const indent = ' '.repeat(stateWidth + width + 4)
  const lines = findings.map(({ name, state, found, mend }) => {
    const line = oneLine(`${state.toUpperCase().padEnd(stateWidth)}  ${name.padEnd(width)}  ${found}`)
    return mend === undefined ? line : `${line}\n${indent}Mend: ${oneLine(mend)}`
  })
  return [title, '', ...lines].join('\n')
}

/** The same for a phone, where columns would break: nothing is padded. */
export function renderNarrowReport(title: string, findings: readonly Finding[]): string {
  const lines = findings.map(({ name, state, found, mend }) => {
    const line = oneLine(`${state.toUpperCase()} ${name}: ${found}`)
    return mend === undefined ? line : `${line}\n  Mend: ${oneLine(mend)}`
  })
  return [title, ...lines].join('\n')
}
