// Errors of PostgreSQL and its client, sorted by what may be done about them
// (postgresql.org/docs/current/errcodes-appendix.html).

import { ConfigError, errorCode } from '../../errors.ts'
import type { Failure } from '../write-health.ts'

const networkCodes: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET'],
])

// 57P01 to 03: shutting down, crashed, starting up. 53300: too many connections. 08: a connection's failures.
const awayStates = /^(57P0[123]|53300|08...)$/

// The client's own errors have no code.
const lostWords = /^(Connection terminated|Query read timeout|timeout e|Client (has encountered|was closed))/

/** True when the answer did not come in the time that was given for it. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && /^(Query read timeout|timeout e)/.test(error.message)
}

/** True when a connection could not be made, or broke, in a way that may pass by itself. */
export function isAway(error: unknown): boolean {
  const code = errorCode(error)
  if (code !== undefined) return networkCodes.has(code) || awayStates.test(code)
  return error instanceof Error && lostWords.test(error.message)
}

/**
 * True when a statement outside a transaction has certainly changed nothing, and may succeed at a second try:
 * it was the victim of a deadlock, never left this process, or met a server that only reads since another took over.
 */
export function changedNothing(error: unknown): boolean {
  const code = errorCode(error)
  if (code !== undefined) return code === '40P01' || code === '40001' || isReadOnly(error)
  return error instanceof Error && /^Client .* not queryable$/.test(error.message)
}

/** True of a server that another has taken the place of. */
export function isReadOnly(error: unknown): boolean {
  return errorCode(error) === '25006'
}

/** Undefined where the statement itself is to blame. */
export function failureOf(error: unknown): Failure | undefined {
  if (isReadOnly(error)) return { kind: 'other', unwritable: 'read-only' }
  const code = errorCode(error)
  if (code === '53100') return { kind: 'full', unwritable: 'full' }
  if (isAway(error)) return { kind: 'unreachable' }
  // No resources; a fault of its system, or of its own.
  return code !== undefined && /^(53|58|XX)/.test(code) ? { kind: 'other' } : undefined
}

/** Names the database in messages: `bellhop at db.example.com:5432`. */
export function whereIs(url: string): string {
  const { database, server } = partsOf(url)
  return `${database} at ${server}`
}

/**
 * Why a PostgreSQL database could not be opened: what the operator can mend, in words; every other error as it is.
 * Never with the url: it holds a password.
 */
export function asConfigError(error: unknown, url: string): unknown {
  if (error instanceof ConfigError) return error
  const sentence = sentenceFor(error, partsOf(url))
  return sentence === undefined ? error : new ConfigError([`DATABASE_URL: ${sentence}`])
}

interface Parts {
  readonly host: string
  readonly server: string
  readonly database: string
  readonly user: string
}

/** As `pg` reads them: what stands in the query goes first. */
function partsOf(url: string): Parts {
  const { hostname, port, pathname, username, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? (decodeURIComponent(hostname) || 'localhost')
  return {
    host,
    server: host.startsWith('/') ? host : `${host}:${searchParams.get('port') ?? (port || '5432')}`,
    database: decodeURIComponent(pathname.slice(1)),
    user: searchParams.get('user') ?? decodeURIComponent(username),
  }
}

function sentenceFor(error: unknown, parts: Parts): string | undefined {
  const code = errorCode(error) ?? ''
  const message = error instanceof Error ? error.message : ''
  const sentence = byPooler(message) ?? sentences[code] ?? bySqlClass(code) ?? byMessage(message)
  return sentence?.(parts, message)
}

type Sentence = (parts: Parts, message: string) => string

const unknownHost: Sentence = ({ host }) => `the host ${host} is unknown. Correct it, or start it.`
const noAnswer: Sentence = ({ server }) =>
  `${server} doesn’t answer. Correct host and port, and check that no firewall is in between.`
const hungUp: Sentence = ({ server }) =>
  `${server} closes the connection at once. Check that it is PostgreSQL that listens there.`
const missingFile: Sentence = ({ server }, message) =>
  message.startsWith('connect')
    ? `nothing listens at ${server}. Start PostgreSQL, or correct the host.`
    : 'names a TLS file (sslrootcert, sslcert, sslkey) that can’t be read. Correct its path.'
const untrusted: Sentence = ({ server }) =>
  `the certificate of ${server} isn’t trusted for this host. Name the certificate that signed it with sslrootcert=, or use sslmode=no-verify in a network you trust.`

const sentences: Readonly<Record<string, Sentence>> = {
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ECONNREFUSED: ({ server }) => `nothing listens at ${server}. Start PostgreSQL, or correct host and port.`,
  ETIMEDOUT: noAnswer,
  EHOSTUNREACH: noAnswer,
  EHOSTDOWN: noAnswer,
  ENETUNREACH: noAnswer,
  ECONNRESET: hungUp,
  EPIPE: hungUp,
  ENOENT: missingFile,
  EACCES: missingFile,
  '28P01': ({ server, user }) =>
    `${server} refuses the password of ${nameOf(user)}. Correct user and password.`,
  // The server's words on this are the same for a missing role and for rules that it has on who may come.
  '28000': ({ server, user }, message) =>
    /no encryption|SSL off/.test(message)
      ? `${server} accepts no connections without TLS. Add ?sslmode=verify-full.`
      : `${server} doesn’t let ${nameOf(user)} in. Create that user, or allow it in pg_hba.conf.`,
  '3D000': ({ server, database }) =>
    `${server} has no database ${database}. Create it (\`create database ${database}\`), or name another.`,
  '42501': ({ server, database, user }) =>
    `${nameOf(user)} isn’t allowed to do this in ${database} at ${server}. Grant the permission, or start Bellhop once as a user who has it.`,
  '53300': ({ server }) => `${server} has no free connections. Allow more (max_connections), or close some.`,
  '57P03': ({ server }) => `${server} is still starting or stopping. Try again when it is up.`,
  '25006': ({ server }) => `${server} is read-only. Name the server that accepts writes.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
  CERT_HAS_EXPIRED: ({ server }) => `the certificate of ${server} has expired. Renew it.`,
}

/** A pooler’s own words come with the code of a connection that failed. Source: pgbouncer.org/config.html, pool_mode. */
function byPooler(message: string): Sentence | undefined {
  if (!/statement pooling/.test(message)) return undefined
  return ({ server }) =>
    `${server} is a pooler in statement mode. Set its pool_mode to transaction or session: Bellhop needs transactions.`
}

function bySqlClass(code: string): Sentence | undefined {
  return /^(08...|57P..)$/.test(code) ? hungUp : undefined
}

/** The client's own errors have no code. */
function byMessage(message: string): Sentence | undefined {
  if (/does not support SSL/.test(message)) {
    return ({ server }) => `${server} doesn’t support TLS. Turn it on there, or remove sslmode=.`
  }
  if (/password must be/.test(message)) {
    return ({ server, user }) =>
      `${server} asks for the password of ${nameOf(user)}. Add it: user:password@host.`
  }
  if (/error establishing an SSL connection/.test(message)) return hungUp
  if (/^(Connection terminated due to|timeout e)/.test(message)) return noAnswer
  if (/^Connection terminated/.test(message)) return hungUp
  return undefined
}

function nameOf(user: string): string {
  return user === '' ? 'this user' : `the user ${user}`
}
