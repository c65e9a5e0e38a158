// Readers of single settings: each returns a value, or throws `Wrong` with what to mend.
// No message repeats a value: an operator who mixes two variables up must not find a token in a log.

import { createSecretKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import leven from 'leven'
import { z } from 'zod'
import type { EncryptionKey } from '../account/vault.ts'
import { linkParts } from '../alert/link.ts'
import { errorCode } from '../errors.ts'
import { type Flag, flags, isFlag } from '../grant/flags.ts'
import type { Roles } from '../grant/roles.ts'
import { type MentionIds, mostMentioned, readMention } from '../slack/text/mrkdwn.ts'

/** What is wrong with one setting; each problem is a sentence that follows its name. */
export class Wrong extends Error {
  readonly problems: readonly string[]

  constructor(...problems: readonly string[]) {
    super(problems.join(' '))
    this.problems = problems
  }
}

/**
 * An address without its last slash. http is for loopback only: tokens travel over it.
 * @param example - What it looks like.
 */
export const readAddress = (example: string) => (text: string) => addressIn(text, example)

function addressIn(text: string, example: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Wrong(`is not an address. It looks like ${example}.`)
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Wrong(
      'must start with https://, because secrets travel over it. (http:// works only for this machine.)',
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new Wrong('must not contain a user name or password.')
  }
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
    throw new Wrong('must end with its path. Remove ? or # and what follows it.')
  }
  return url.href.replace(/\/+$/, '')
}

/** Of a proxy. A user and a password in it are its own. */
export function readProxy(text: string): string {
  // Other programs take it without its scheme, too.
  const url = URL.parse(/^[^/\s]+:\d+\/?$/.test(text) ? `http://${text}` : text)
  if (url !== null && /^https?:$/.test(url.protocol) && isDecodable(url.username + url.password))
    return url.href
  throw new Wrong(
    'is not the address of a proxy. It looks like http://proxy.example.com:3128. If the proxy asks for a user, put user:password@ in front of the host.',
  )
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** By comma or blank. */
export function readHosts(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((host) => host !== '')
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

/** Of a link that holds the alert's key; others are those of one that doesn't. */
const keyPlaceholder = '{ks}'
const otherPlaceholders = linkParts.map((part) => `{${part}}`)

export function readAlertUrl(text: string): string {
  const parts = text.split(/(\{[^{}]*\})/)
  const placeholders = parts.filter((_, index) => index % 2 === 1)
  const url = URL.parse(parts.map((part, index) => (index % 2 === 1 ? '1' : part)).join(''))
  // A part that may stand in the host would make a link of anybody's server one of ours.
  if (url === null || !/^https?:\/\/[^/?#]+\/.*$/.test(parts[0] ?? '') || url.username !== '') {
    throw new Wrong(`is not the address of an alert. ${alertUrlExamples}`)
  }
  const hasKey = placeholders.includes(keyPlaceholder)
  const known = placeholders.filter((one) => one === keyPlaceholder || otherPlaceholders.includes(one))
  if (new Set(known).size < known.length) {
    throw new Wrong(`must hold each placeholder once. ${alertUrlExamples}`)
  }
  if (hasKey && known.length > 1) {
    throw new Wrong('holds {ks} and other placeholders. Links that hold the key need {ks} alone.')
  }
  if (!hasKey && known.length < placeholders.length) {
    throw new Wrong(`has a placeholder that Bellhop doesn’t know. ${alertUrlExamples}`)
  }
  if (!hasKey && !(placeholders.includes('{asset}') && placeholders.includes('{timestamp}'))) {
    throw new Wrong(
      `must hold {ks}, or {asset} and {timestamp}: nothing else says which alert a link is for. ${alertUrlExamples}`,
    )
  }
  // Nothing would say where one ends.
  if (parts.some((part, index) => index % 2 === 0 && index > 0 && index < parts.length - 1 && part === '')) {
    throw new Wrong(`has two placeholders with nothing between them. ${alertUrlExamples}`)
  }
  return text
}

const alertUrlExamples =
  'It looks like https://monitoring.example.com/alert/{ks}, or like https://monitoring.example.com/container/{container}/asset/{asset}/alert?alert={timestamp}.'

export function readDatabaseUrl(text: string): string {
  if (/^postgres(ql)?:/i.test(text)) return readPostgresUrl(text)
  const isFile = /^file:(\/\/\/[^/]|\/?[^/:])/.test(text) && !text.endsWith('/') && !text.includes('\0')
  if (!isFile) {
    throw new Wrong(
      'doesn’t name a file. It looks like file:./data/bellhop.db, or for PostgreSQL like postgres://user:password@host/bellhop.',
    )
  }
  return text
}

/** What stands behind its ? is for the client of PostgreSQL. */
function readPostgresUrl(text: string): string {
  const url = URL.parse(text)
  const isEncoded = !/[\s#]|%(?![\da-f]{2})/i.test(text)
  if (url === null || !/^postgres(ql)?:\/\//i.test(text) || !isEncoded) {
    throw new Wrong(
      'is not a PostgreSQL address. It looks like postgres://user:password@host:5432/bellhop. In user and password, percent-encode everything except letters and digits (@ is %40, / is %2F, # is %23).',
    )
  }
  if (!/^\/[^/]+$/.test(url.pathname)) {
    throw new Wrong(
      'doesn’t name a database. Put its name at the end: postgres://user:password@host/bellhop.',
    )
  }
  return text
}

export function readHost(text: string): string {
  if (/^[\w.:-]+$/.test(text) && !text.includes('://')) return text
  throw new Wrong(
    'is not an address to listen on. Use 0.0.0.0 for every address, or 127.0.0.1 for this machine only.',
  )
}

export function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new Wrong('is not a port. Use a number up to 65535.')
}

/** @param what - As in “a number of seconds”. */
export function readNumber(what: string, { from, to }: { readonly from: number; readonly to: number }) {
  return (text: string): number => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= from && number <= to) return number
    throw new Wrong(`must be a number of ${what} from ${from} to ${to}.`)
  }
}

/** Names of channels change, and two may have been the same; the id stays. */
export function readChannel(text: string): string {
  if (/^[CG][A-Z0-9]{2,20}$/.test(text)) return text
  throw new Wrong(
    'is not a channel id, which looks like C0123ABCDEF. In Slack, click the channel’s name: its id is at the bottom of About.',
  )
}

/** Of people and user groups. */
export function readMentioned(text: string): MentionIds {
  const mention = readMention(text)
  if (mention !== undefined) return mention
  throw new Wrong(
    `must be at most ${mostMentioned} ids of people (U…) or user groups (S…), separated by commas. In Slack, the menu of a profile or of a user group copies its id.`,
  )
}

export function readChoice<Choice extends string>(choices: readonly Choice[]): (text: string) => Choice {
  return (text) => {
    const choice = choices.find((one) => one === text.toLowerCase())
    if (choice === undefined) throw new Wrong(`must be one of ${choices.join(', ')}.`)
    return choice
  }
}

// A menu in Slack offers no more.
const mostNames = 100

/** Words by comma, in order; `count` of them when given. */
export function readNames(what: string, most: { readonly count?: number; readonly characters: number }) {
  return (text: string): readonly string[] => {
    const names = text.split(',').map((name) => name.trim())
    const { count, characters } = most
    if (count !== undefined && names.length !== count) {
      throw new Wrong(`has ${names.length} names, but must have ${count}, ${what}, separated by commas.`)
    }
    if (names.length > mostNames) {
      throw new Wrong(`has ${names.length} names, but can have ${mostNames} at most. Remove some.`)
    }
    if (names.includes('')) throw new Wrong('has an empty name between two commas. Fill it in or remove it.')
    if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
      throw new Wrong('has the same name twice. Remove one.')
    }
    if (names.some((name) => name.length > characters)) {
      throw new Wrong(`has a name of more than ${characters} characters. Shorten it.`)
    }
    return names
  }
}

const keyBytes = 32

export function readEncryptionKeys(text: string): readonly EncryptionKey[] {
  const parts = text.split(',').map((part) => part.trim())
  const problems: string[] = []
  const keys = parts.flatMap((part, index) => {
    // Its place, not its id: what stands before the colon may be the key itself, by mistake.
    const name = parts.length === 1 ? 'the key' : `key ${index + 1} of ${parts.length}`
    const problem = keyProblem(part)
    if (problem !== undefined) problems.push(`${name} ${problem} Create one with \`npm run keygen\`.`)
    return problem === undefined ? [keyFrom(part)] : []
  })
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    problems.push('two keys have the same id. Give each its own.')
  }
  if (problems.length > 0) throw new Wrong(...problems)
  return keys
}

function keyProblem(part: string): string | undefined {
  const [, id, encoded] = /^([^:]*):(.*)$/s.exec(part) ?? []
  if (id === undefined || encoded === undefined) return 'has no id. It looks like id:base64.'
  if (!/^[\w-]{1,40}$/.test(id)) return 'has an id that can’t be used. Use letters, digits, - and _.'
  const bytes = Buffer.from(encoded, 'base64')
  if (!/^[\w+/-]*={0,2}$/.test(encoded)) return 'is not base64.'
  if (bytes.length !== keyBytes) return `has ${bytes.length} bytes, but must have ${keyBytes}.`
  return undefined
}

function keyFrom(part: string): EncryptionKey {
  const colon = part.indexOf(':')
  return { id: part.slice(0, colon), key: createSecretKey(Buffer.from(part.slice(colon + 1), 'base64')) }
}

/** No such file is larger; a disk image put there by mistake is. */
const mostBytes = 4 * 1024 * 1024

/**
 * Reads the certificates in a file: PEM, with whatever else stands between them, or one in binary form (DER).
 *
 * @param path - From the working directory, where it is not absolute.
 * @returns Each as PEM, at least one.
 * @throws Wrong, naming the file where what was given looks like one's name.
 */
export function readCertificates(path: string): readonly string[] {
  if (path.includes('-----BEGIN')) {
    throw new Wrong('contains the certificate itself. Give the path of a file that contains it.')
  }
  // Anything else may be a secret that was put here by mistake.
  const name = /^[\w./\\: -]+\.(pem|crt|cer|cert|der|ca|bundle)$/i.test(path) ? path : 'the file'
  const bytes = readBytes(path, name)
  const texts = bytes.toString('latin1').match(pemBlock)
  if (texts !== null) return texts.map((text) => pemOf(text, name))
  if (!isDer(bytes)) throw new Wrong(`${name} contains no certificate. ${whatItHolds}`)
  return [pemOf(bytes, name)]
}

const pemBlock =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g

const whatItHolds =
  'Put the certificate of the authority that signed the service’s there, as text that begins with -----BEGIN CERTIFICATE-----.'

function readBytes(path: string, name: string): Buffer {
  try {
    const bytes = readFileSync(path)
    if (bytes.length <= mostBytes) return bytes
  } catch (error) {
    throw new Wrong(`${name} ${whyUnread(error)}`)
  }
  throw new Wrong(`${name} is larger than ${mostBytes / 1024 / 1024} MiB. ${whatItHolds}`)
}

function whyUnread(error: unknown): string {
  const code = errorCode(error)
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'doesn’t exist. Correct the path; in a container, mount the file.'
    case 'EISDIR':
      return 'is a directory. Name the file in it.'
    case 'EACCES':
    case 'EPERM':
      return 'can’t be read by Bellhop’s user. Let that user read it.'
    default:
      return `can’t be read (${String(code)}). Correct the path.`
  }
}

/** Source: ITU-T X.690: a certificate is a sequence, whose length follows in more than one byte. */
function isDer(bytes: Buffer): boolean {
  return bytes[0] === 0x30 && ((bytes[1] ?? 0) & 0x80) !== 0
}

function pemOf(certificate: string | Buffer, name: string): string {
  try {
    return new X509Certificate(certificate).toString()
  } catch {
    throw new Wrong(`${name} contains a certificate that can’t be read. Copy it there again.`)
  }
}

/** Words of `/grant` that a role would hide, or that would hide it. */
const taken: ReadonlySet<string> = new Set(['help', 'presets', 'member', 'via'])

/** Of GRANT_PRESETS: `{"viewer": ["READ", "API"]}`; flags in any spelling that `/grant` takes. */
export function readRoles(text: string): Roles {
  const parsed = presetsSchema.safeParse(entriesOf(text))
  if (!parsed.success) {
    throw new Wrong('must be JSON with the flags of each role, such as {"viewer":["READ","API"]}.')
  }
  const roles = parsed.data.map(([name, words]) => ({ name: name.toLowerCase(), words }))
  const problems = roles.flatMap(({ name, words }, index) => [
    ...nameProblem(name),
    ...unknownFlags(words).map((problem) => `role ${index + 1} of ${roles.length}, ${problem}`),
  ])
  if (new Set(roles.map(({ name }) => asFlag(name))).size < roles.length) {
    problems.push('two roles have the same name. Rename one.')
  }
  if (problems.length > 0) throw new Wrong(...problems)
  return Object.fromEntries(roles.map(({ name, words }) => [name, flagsOf(words)]))
}

/**
 * Of APPROVAL_FLAGS: flags by comma, in any spelling that `/grant` takes; in the contract's order, without repeats.
 */
export function readFlags(text: string): readonly Flag[] {
  const words = text.split(',')
  const problems = unknownFlags(words)
  if (problems.length > 0) throw new Wrong(...problems)
  return flagsOf(words)
}

/** Entries, not an object: zod's records leave `__proto__` out without a word. */
const presetsSchema = z.array(z.tuple([z.string(), z.array(z.string()).min(1)]))

function entriesOf(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null && !Array.isArray(json)
      ? Object.entries(json)
      : undefined
  } catch {
    return undefined
  }
}

function asFlag(word: string): string {
  return word.trim().toUpperCase().replaceAll('-', '_')
}

/** The contract's order, without repeats. */
function flagsOf(words: readonly string[]): readonly Flag[] {
  const wanted = new Set(words.map(asFlag))
  return flags.filter((flag) => wanted.has(flag))
}

function nameProblem(name: string): readonly string[] {
  if (!/^[a-z0-9][a-z0-9_-]{0,39}$/.test(name)) {
    return ['a role has a name that can’t be used. Use up to 40 letters, digits, - and _.']
  }
  if (taken.has(name)) return [`role ${name}: in /grant, this word means something else. Rename the role.`]
  if (isFlag(asFlag(name))) return [`role ${name}: a flag has this name. Rename the role.`]
  return []
}

/** Their places, not the words: no problem repeats a value, which may be a secret put here by mistake. */
function unknownFlags(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) =>
    isFlag(asFlag(word)) ? [] : [`word ${index + 1} of ${words.length} is not a flag.${nearestFlag(word)}`],
  )
}

function nearestFlag(word: string): string {
  const ranked = flags.map((flag) => ({ flag, distance: leven(asFlag(word), flag) }))
  const [nearest] = ranked.sort((one, other) => one.distance - other.distance)
  return nearest !== undefined && nearest.distance <= 3 ? ` Did you mean ${nearest.flag}?` : ''
}
