// Doctor's findings as plain text, for a terminal and to paste into a ticket; and that text without secrets, and
// without the operator's hosts and files. Pure.
import { oneLine, redact } from '../log/line.ts'
import type { Finding, State } from './checks/check.ts'

const words: Readonly<Record<State, string>> = {
  red: 'RED',
  amber: 'AMBER',
  untested: 'GREY',
  green: 'GREEN',
}
const stateWidth = words.green.length

/** One line each, and what to do below, in columns. */
export function renderReport(title: string, findings: readonly Finding[]): string {
  const width = Math.max(0, ...findings.map(({ name }) => name.length))
  const indent = ' '.repeat(stateWidth + width + 4)
  const lines = findings.map(({ name, state, found, mend }) => {
    const line = oneLine(`${words[state].padEnd(stateWidth)}  ${name.padEnd(width)}  ${found}`)
    return mend === undefined ? line : `${line}\n${indent}Fix: ${oneLine(mend)}`
  })
  return [title, '', ...lines].join('\n')
}

/** The same for a phone, where columns would break: nothing is padded. */
export function renderNarrowReport(title: string, findings: readonly Finding[]): string {
  const lines = findings.map(({ name, state, found, mend }) => {
    const line = oneLine(`${words[state]} ${name}: ${found}`)
    return mend === undefined ? line : `${line}\n  Fix: ${oneLine(mend)}`
  })
  return [title, ...lines].join('\n')
}

// Not from within a longer word: a long one without an @ is read once.
const mailAddress = /(?<![^\s@<>()"',;:])[^\s@<>()"',;:]+@[^\s@<>()"',;:]+\.[^\s@<>()"',;:.]+/g

/**
 * Without tokens and addresses of people.
 * @param places - Hosts and files of the operator, left out as well.
 */
export function withoutSecretsOrPlaces(text: string, places: readonly string[]): string {
  const shown = redact(text).replaceAll(mailAddress, '[address]')
  // Longer ones first: one may be part of another.
  const longestFirst = places.toSorted((a, b) => b.length - a.length)
  return longestFirst.reduce((rest, place) => rest.replaceAll(wholeName(place), '[place]'), shown)
}

/** Not inside of a longer name. */
function wholeName(place: string): RegExp {
  const literally = place.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(`(?<![\\w.-])${literally}(?![\\w-])`, 'g')
}

interface Addresses {
  readonly monitorApiUrl: string | undefined
  readonly publicUrl?: string | undefined
  readonly databaseUrl: string | undefined
}

/**
 * The operator's hosts and files, as they may stand in a sentence. Single words are not among them: they tell nobody
 * anything, and stand elsewhere.
 */
export function placesOf({ monitorApiUrl, publicUrl, databaseUrl }: Addresses): readonly string[] {
  const addresses = [monitorApiUrl, publicUrl, databaseUrl].map((address) => URL.parse(address ?? ''))
  const hosts = addresses.flatMap((address) =>
    address === null ? [] : [address.host, address.hostname, decoded(address.hostname), ...queried(address)],
  )
  const path = databaseUrl === undefined ? '' : fileIn(databaseUrl)
  return [...hosts, path].filter((place) => /[./:]/.test(place))
}

/** PostgreSQL's host may be a folder, written with %, or stand in the query. */
function queried({ searchParams }: URL): readonly string[] {
  const host = searchParams.get('host')
  const port = searchParams.get('port')
  return host === null ? [] : [host, `${host}:${port ?? '5432'}`]
}

function decoded(hostname: string): string {
  try {
    return decodeURIComponent(hostname)
  } catch {
    return hostname
  }
}

/** As sentences name it: decoded where it is an address, as it stands where it is a path. */
function fileIn(databaseUrl: string): string {
  if (!databaseUrl.startsWith('file://')) return databaseUrl.startsWith('file:') ? databaseUrl.slice(5) : ''
  try {
    return decodeURIComponent(new URL(databaseUrl).pathname)
  } catch {
    // Then it cannot be opened, and no sentence names it.
    return ''
  }
}
