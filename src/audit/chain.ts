// The chain: each record carries an HMAC over itself and the one before, so that whoever can write to the database but
// has no key can neither change, nor take out, nor add a record unseen; verifying it shows where somebody did. It cannot
// see that the newest records are missing: for that, the head is logged.
import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import { setImmediate as letOthersOn } from 'node:timers/promises'
import {
  type AlertStanding,
  type AuditRecords,
  beginning,
  type ChainedRecord,
  type Entry,
  type Head,
  type Link,
} from './trail.ts'

/** A key of ENCRYPTION_KEYS. */
export interface ChainKey {
  readonly id: string
  /** 256 bits. */
  readonly key: KeyObject
}

/** `address`: its plain address is not the one that was recorded. `unknown-key`: its key is not there. */
export type Judgement = 'holds' | 'changed' | 'address' | 'unknown-key'

export interface Chain {
  /** The record that goes behind this head. */
  seal(entry: Entry, head: Head): ChainedRecord
  /** @param before - What it must have been sealed over. */
  judge(record: ChainedRecord, before: Link): Judgement
}

/** The address as it is kept: people write theirs in either case. */
export function foldEmail(email: string): string {
  return email.trim().toLowerCase()
}

interface Derived {
  readonly record: KeyObject
  readonly address: KeyObject
}

/** @param keys - The first seals, all judge. At least one. */
export function createChain(keys: readonly ChainKey[]): Chain {
  const [first] = keys
  if (first === undefined) throw new TypeError('a chain needs a key')
  const derived = new Map(keys.map(({ id, key }) => [id, derive(key)]))
  const newest = derive(first.key)

  return {
    seal(entry, head) {
      const email = entry.email === undefined ? undefined : foldEmail(entry.email)
      const { workspaceId, key } = entry
      const record = {
        seq: head.seq + 1,
        at: Math.max(head.at, head.now),
        workspaceId,
        key,
        keyId: first.id,
        body: bodyOf(entry, email === undefined ? undefined : digest(newest.address, email)),
      }
      return { ...record, mac: macOf(newest.record, record, head.mac), email }
    },
    judge(record, before) {
      const own = derived.get(record.keyId)
      if (own === undefined) return 'unknown-key'
      if (!isSame(record.mac, macOf(own.record, record, before.mac))) return 'changed'
      const { email } = record
      return email === undefined || digestIn(record.body) === digest(own.address, email) ? 'holds' : 'address'
    },
  }
}

/** Keys of their own, so that no mac of one kind passes for one of another, nor for anything that the vault makes. */
function derive(key: KeyObject): Derived {
  const of = (info: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), info, 32)))
  return {
    record: of('bellhop audit chain'),
    address: of('bellhop audit address'),
  }
}

/** Field by field: whatever else a caller's object holds does not belong here. */
function bodyOf(entry: Entry, emailDigest: string | undefined): string {
  const { userId, act, outcome, containerId, permissions, member, authProvider } = entry
  const { ks, before, after, askerId, approverId, cause, reference } = entry
  const what = { ks, containerId, emailDigest, permissions, member, authProvider }
  const stood = { before: standing(before), after: standing(after) }
  return JSON.stringify({ userId, act, outcome, ...what, ...stood, askerId, approverId, cause, reference })
}

function standing(alert: AlertStanding | undefined): AlertStanding | undefined {
  return alert && { ownerId: alert.ownerId, isClosed: alert.isClosed }
}

function digestIn(body: string): unknown {
  const read: unknown = JSON.parse(body)
  return typeof read === 'object' && read !== null && 'emailDigest' in read ? read.emailDigest : undefined
}

/** How the reference of a `cut` names the last record that was deleted. */
export function wordsOf({ seq, mac }: Link): string {
  return `${seq}:${mac}`
}

/** Where the chain begins after this cut; `beginning` where there is none, or nothing of it can be read. */
export function startAfter(cut: ChainedRecord | undefined): Link {
  const [, seq, mac = ''] = /"reference":"(\d{1,15}):([\w-]{43})"/.exec(cut?.body ?? '') ?? []
  return seq === undefined ? beginning : { seq: Number(seq), mac }
}

/** JSON keeps the parts apart, whatever characters they hold. */
function macOf(key: KeyObject, record: Omit<ChainedRecord, 'mac' | 'email'>, before: string): string {
  const { seq, at, workspaceId, key: recordKey, keyId, body } = record
  return digest(key, JSON.stringify([before, seq, at, workspaceId, recordKey, keyId, body]))
}

function digest(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text, 'utf8').digest('base64url')
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** A fault of a record, or before it. */
export type Fault =
  /** Records from `from` to `to` are missing. */
  | { readonly kind: 'missing'; readonly from: number; readonly to: number }
  /** The record isn’t what Bellhop wrote: it was changed or put in. */
  | { readonly kind: 'changed'; readonly seq: number }
  /** The record holds, but the plain address beside it is another one. */
  | { readonly kind: 'address'; readonly seq: number }
  /** Nobody can tell: its key is not in ENCRYPTION_KEYS. */
  | { readonly kind: 'unknown-key'; readonly seq: number; readonly keyId: string }

export interface Step {
  readonly record: ChainedRecord
  readonly fault: Fault | undefined
}

/** A page: a million records do not fill the memory. */
const pageSize = 500
/** Whatever stands before the first record was put in. */
const lowest = Number.MIN_SAFE_INTEGER

/**
 * Walks the chain from a link on, oldest record first, and says of each whether it holds. Ends after the first fault,
 * as nothing can be said of what comes behind; goes on after `unknown-key`.
 */
export async function* walk(records: AuditRecords, chain: Chain, from: Link): AsyncGenerator<Step> {
  let before = from
  let after = from.seq === beginning.seq ? lowest : from.seq
  for (;;) {
    const page = await records.page({ after, most: pageSize })
    for (const record of page) {
      const fault = faultOf(chain, record, before)
      yield { record, fault }
      if (fault !== undefined && fault.kind !== 'unknown-key') return
      before = record
      after = record.seq
    }
    if (page.length < pageSize) return
    // SQLite answers without a pause, in which nothing else of the process would happen for as long as this takes.
    await letOthersOn()
  }
}

function faultOf(chain: Chain, record: ChainedRecord, before: Link): Fault | undefined {
  const { seq, keyId } = record
  if (seq <= before.seq) return { kind: 'changed', seq }
  if (seq > before.seq + 1) return { kind: 'missing', from: before.seq + 1, to: seq - 1 }
  const judgement = chain.judge(record, before)
  switch (judgement) {
    case 'holds':
      return undefined
    case 'unknown-key':
      return { kind: 'unknown-key', seq, keyId }
    case 'changed':
    case 'address':
      return { kind: judgement, seq }
    default:
      return judgement satisfies never
  }
}

export interface TrailVerdict {
  /** Records up to this one were deleted, as they were old. */
  readonly start: Link
  /** The first of the records that shows that the trail was touched. */
  readonly fault: Exclude<Fault, { readonly kind: 'unknown-key' }> | undefined
  /** Records whose key is not there, by its id. */
  readonly unknownKeys: readonly { readonly keyId: string; readonly first: number; readonly count: number }[]
  /** Records that were read, up to a fault. */
  readonly count: number
  readonly first: { readonly seq: number; readonly at: number } | undefined
  readonly last: (Link & { readonly at: number }) | undefined
  /** Records whose address was erased. */
  readonly erased: number
  readonly head: HeadVerdict | undefined
}

/** Result for a head that somebody kept. `pruned`: it was deleted, as it was old. */
export interface HeadVerdict {
  readonly expected: Link
  readonly kind: 'there' | 'another' | 'pruned' | 'beyond-end'
}

/** A bot that prunes meanwhile moves the start; then all is read again. */
const mostTries = 5

export async function verify(records: AuditRecords, chain: Chain, expected?: Link): Promise<TrailVerdict> {
  for (let tries = 1; ; tries += 1) {
    const start = startAfter(await records.newestCut())
    const verdict = await verifyFrom(records, chain, start, expected)
    if (verdict.fault === undefined || tries === mostTries) return verdict
    if (startAfter(await records.newestCut()).seq === start.seq) return verdict
  }
}

async function verifyFrom(
  records: AuditRecords,
  chain: Chain,
  start: Link,
  expected: Link | undefined,
): Promise<TrailVerdict> {
  const unknown = new Map<string, { first: number; count: number }>()
  let fault: TrailVerdict['fault']
  let first: TrailVerdict['first']
  let last: TrailVerdict['last']
  let count = 0
  let erased = 0
  let found: Link | undefined = expected?.seq === start.seq ? start : undefined

  for await (const step of walk(records, chain, start)) {
    const { seq, mac, at } = step.record
    if (step.fault !== undefined && step.fault.kind !== 'unknown-key') {
      fault = step.fault
      break
    }
    if (step.fault !== undefined) {
      const { keyId } = step.fault
      const known = unknown.get(keyId)
      unknown.set(keyId, { first: known?.first ?? seq, count: (known?.count ?? 0) + 1 })
    }
    first ??= { seq, at }
    last = { seq, mac, at }
    count += 1
    if (step.record.email === undefined && step.record.body.includes('"emailDigest":')) erased += 1
    if (seq === expected?.seq) found = last
  }

  return {
    start,
    fault,
    unknownKeys: [...unknown].map(([keyId, where]) => ({ keyId, ...where })),
    count,
    first,
    last,
    erased,
    head: expected && { expected, kind: whereIs(expected, start, found) },
  }
}

function whereIs(expected: Link, start: Link, found: Link | undefined): HeadVerdict['kind'] {
  if (found !== undefined) return found.mac === expected.mac ? 'there' : 'another'
  return expected.seq < start.seq ? 'pruned' : 'beyond-end'
}
