// The chain: each record carries an HMAC over itself and the one before, so that whoever can write to the database but
// has no key can neither change, nor take out, nor add a record unseen; verifying the chain shows where somebody did. Only
// missing records at its end don't show: so the log names each new record.
import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import { beginning, type ChainedRecord, type Entry, type Head, type Link } from './trail.ts'

/**
 * `changed`: the record isn’t as Bellhop wrote it: somebody changed it, put it in, or replaced the plain address beside it.
 * `unknown-key`: nobody can tell, as the record's key is not in ENCRYPTION_KEYS.
 */
export type Judgement = 'holds' | 'changed' | 'unknown-key'

export type Chain = ReturnType<typeof createChain>

/** The address as it is kept: people write theirs in either case. */
export function foldEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** @param keys - At least one, of ENCRYPTION_KEYS, of 256 bits. The first seals; each judges what it has sealed. */
export function createChain(keys: readonly { readonly id: string; readonly key: KeyObject }[]) {
  const [first] = keys
  if (first === undefined) throw new TypeError('a chain needs a key')
  const derived = new Map(keys.map(({ id, key }) => [id, derive(key)]))
  const newest = derive(first.key)

  return {
    seal(entry: Entry, head: Head): ChainedRecord {
      const email = entry.email === undefined ? null : foldEmail(entry.email)
      const emailDigest = email === null ? undefined : digest(newest.address, email)
      const { workspaceId, key } = entry
      const record = {
        seq: head.seq + 1,
        at: Math.max(head.at, head.now),
        workspaceId,
        key,
        keyId: first.id,
        body: JSON.stringify({ ...entry, emailDigest }, bodyFields),
      }
      return { ...record, mac: macOf(newest.record, record, head.mac), email }
    },
    /** @param before - The link right before the record, which the record’s mac must cover. */
    judge(record: ChainedRecord, before: Link): Judgement {
      const own = derived.get(record.keyId)
      if (own === undefined) return 'unknown-key'
      if (!isSame(record.mac, macOf(own.record, record, before.mac))) return 'changed'
      const { email, body } = record
      // Read without a check: the mac has shown that Bellhop wrote the body.
      const { emailDigest }: { readonly emailDigest?: string } = JSON.parse(body)
      return email === null || emailDigest === digest(own.address, email) ? 'holds' : 'changed'
    },
  }
}

/** Makes two keys from a key of ENCRYPTION_KEYS: for macs of records, and for digests of addresses. */
function derive(key: KeyObject): { readonly record: KeyObject; readonly address: KeyObject } {
  const of = (info: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), info, 32)))
  return { record: of('bellhop audit chain'), address: of('bellhop audit address') }
}

/** Fields of an entry, and of alerts in it, that are written: a caller's object may have others. */
const bodyFields = [
  'userId act outcome ks containerId asset mode emailDigest permissions member',
  'takes personId kind until authProvider had has',
  'before after ownerId isClosed askerId approverId cause reference',
].flatMap((names) => names.split(' '))

/** A link as text: the form in which the log names a head, and a `cut` the last record that was deleted. */
export function wordsOf({ seq, mac }: Link): string {
  return `${seq}:${mac}`
}

/** The link after which the chain begins, as the record `cut` says; `beginning` if there is no cut, or it can't be read. */
export function startAfter(cut: ChainedRecord | undefined): Link {
  const [, seq, mac = ''] = /"reference":"([1-9]\d{0,8}):([\w-]{43})"/.exec(cut?.body ?? '') ?? []
  return seq === undefined ? beginning : { seq: Number(seq), mac }
}

function macOf(
  key: KeyObject,
  record: Omit<ChainedRecord, 'mac' | 'email'>,
  before: string,
): string {
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
