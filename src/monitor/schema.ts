// What the monitoring service answers when asked for an alert, checked once at the border.
// Source: the API document of the service, “Alert” and “Action object”.
import { z } from 'zod'
import { MonitorError } from '../errors.ts'
import { cutData, type Data } from './cut-data.ts'

/** One entry of an alert's history. */
export interface Action {
  /** Assign, Comment, IntegrationCall, Close, AutoClose, IndirectClose, or one the contract does not name. */
  readonly kind: string
  /** Unix seconds. */
  readonly timestamp: number
  /** Raw, its content depends on the kind, and cut where it is huge; null also when the service left it out. */
  readonly data: Data | null
}

/** An alert as the service tells it. Text is raw, not escaped; times are Unix seconds. */
export interface Alert {
  readonly ks: string
  /** When it was opened. */
  readonly message: string
  /** When it was opened; 0 is the highest and 7 the lowest, other integers are let through. */
  readonly severity: number
  readonly timestamp: number
  /** Of the last hit; these three equal the first ones when there is a single hit. */
  readonly lastMessage: string
  readonly lastSeverity: number
  readonly lastTimestamp: number
  /** User id, null while unassigned. */
  readonly ownerId: number | null
  /** Null while open. */
  readonly closedTimestamp: number | null
  /** Sorted oldest first, those of one second in the service's order; may be empty. */
  readonly actions: readonly Action[]
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const actionSchema = z.object({
  kind: z.string(),
  timestamp: z.int(),
  // Not looked at name by name: there may be very many.
  data: z.custom<Data>(isObject, 'not an object').nullish(),
})

// Unknown fields are dropped: the service may add some at any time.
const alertSchema = z.object({
  ks: z.string(),
  message: z.string(),
  severity: z.int(),
  timestamp: z.int(),
  lastMessage: z.string(),
  lastSeverity: z.int(),
  lastTimestamp: z.int(),
  ownerId: z.int().nullable(),
  closedTimestamp: z.int().nullable(),
  actions: z.array(actionSchema),
})

/**
 * Turns the body of an answer into an alert.
 *
 * @throws MonitorError `malformed`, naming the fields that do not fit but never what they held.
 */
export function parseAlert(text: string): Alert {
  const parsed = alertSchema.safeParse(parseJson(text))
  if (!parsed.success) {
    const fields = new Set(
      parsed.error.issues.map((issue) => issue.path.slice(0, 3).join('.') || 'the whole'),
    )
    const named = [...fields].slice(0, 5).join(', ')
    throw new MonitorError('malformed', `The answer does not fit the contract (${named}).`)
  }
  const actions = parsed.data.actions.map(({ kind, timestamp, data }) => ({
    kind,
    timestamp,
    data: data == null ? null : cutData(data),
  }))
  // toSorted is stable.
  return { ...parsed.data, actions: actions.toSorted((a, b) => a.timestamp - b.timestamp) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Without its cause: a SyntaxError quotes what it read.
    throw new MonitorError('malformed', 'The answer is not JSON.')
  }
}

// Compares keys: one key may be written in two ways. Pure.
// Source: the API document of the service, “Alert”: it does not promise to answer a key as it was asked.

/** True where they differ at most in capitals, percent-encoding or Unicode normalization. */
export function isSameKey(one: string, other: string): boolean {
  return one === other || plainForm(one) === plainForm(other)
}

function plainForm(key: string): string {
  return key
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, decoded)
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
}

/** As it stands where those bytes are no text. */
function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
