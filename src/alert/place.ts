// Reads places of alerts: the asset and the container that an alert is on, as links, the doorbell (a webhook that names new
// alerts) and the service’s lists have them. Pure.
//
// A place is a hint. It holds numbers, and the item’s name; not the asset’s name, which only a reader’s own token may show.
import { z } from 'zod'
import { type AlertLink, isStorable } from './link.ts'

/** A place as a link has it; a place that comes from elsewhere may lack the time of opening. */
export type AlertPlace = Omit<AlertLink, 'timestamp'> & { readonly timestamp?: number | undefined }

/** A place that somebody has named for an alert; nobody has looked there yet. */
export interface Hint {
  readonly ks: string
  readonly place: AlertPlace
}

const longestBody = 16 * 1024
const longestKey = 200
const mostHints = 100

const number = z.int().nonnegative()
/** A number, or null or nothing, as not every alert has one. A body with anything else in such a field is no hint. */
const numberIfAny = number.nullish().transform((given) => given ?? undefined)

const bodySchema = z
  .object({
    ks: z.string().min(1).max(longestKey).refine(isStorable),
    asset: number,
    condition: numberIfAny,
    time: numberIfAny,
    container: numberIfAny,
  })
  .transform(({ ks, time: timestamp, ...place }): Hint => ({ ks, place: { ...place, timestamp } }))

/** @param body - As a webhook sent it, which may be anything. @returns Undefined if the body is no hint. */
export function hintIn(body: string): Hint | undefined {
  // The cheap test comes first: no character takes less than a byte.
  if (body.length > longestBody || Buffer.byteLength(body) > longestBody) return undefined

  return bodySchema.safeParse(parsed(body)).data
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The newest hints, one for each alert, the newest last. */
export function withHint(hints: readonly Hint[], hint: Hint): readonly Hint[] {
  return [...hints.filter(({ ks }) => ks !== hint.ks), hint].slice(-mostHints)
}

const beforeName = /[\p{L}\p{N}_.-]$/u
const behindName = /^[\p{L}\p{N}_-]/u

/** Whether an asset’s name stands in a message as a word of its own: not db-03 in db-031, nor in old.db-03. */
export function isNamedIn(message: string, name: string): boolean {
  const [text, wanted] = [message.toLowerCase(), name.trim().toLowerCase()]
  if (!/[\p{L}\p{N}]/u.test(wanted)) return false

  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    // Two units of UTF-16 are looked at on each side, as one letter may take two.
    const isApart =
      !beforeName.test(text.slice(Math.max(0, at - 2), at)) &&
      !behindName.test(text.slice(end, end + 2))
    if (isApart) return true
  }

  return false
}
