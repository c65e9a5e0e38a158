// Answers of the monitoring service, checked once at the border, with messages cut to what people can read. Pure.
// Source: the API document of the service, “Alert” and “Action object”; of containers, the service's documentation of
// “Query users” and “Query alerts”.
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { MonitorError } from '../errors.ts'
import { parseJson } from '../http/http.ts'

/** Kinds of actions that close an alert. */
export const closings: ReadonlySet<string> = new Set(['Close', 'AutoClose', 'IndirectClose'])

/** The query that asks for a schema’s fields alone. */
function fieldsOf({ shape }: z.ZodObject): string {
  return `?fields=${Object.keys(shape).join(',')}`
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Makes text well-formed and without U+0000, as PostgreSQL keeps no other. All else stays: a key must not change. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** Control characters except line ends and tabs. */
const controls = /(?![\n\r\t])\p{Cc}/gu
/** Marks that turn the direction in which the text behind them is read (UAX #9, 2). */
const directions = /[\u202a-\u202e\u2066-\u2069]/g

/** Text without terminals’ colour codes, control characters, and marks that turn its direction. */
export function cleanText(text: string): string {
  return storable(stripVTControlCharacters(text).replaceAll(directions, '')).replaceAll(
    controls,
    '\uFFFD',
  )
}

const textSchema = z
  .string()
  .transform((text) =>
    cleanText(text.length <= longestText ? text : `${text.slice(0, longestText)}…`),
  )

/** Cleans texts of an action’s data, as sentences and quotes are made of them. */
function cleanData(data: Data): Data {
  const clean = (value: unknown) => (typeof value === 'string' ? cleanText(value) : value)
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, clean(value)]))
}

const actionSchema = z.object({
  /** Assign, Comment, IntegrationCall, Close, AutoClose, IndirectClose, or one the contract does not name. */
  kind: textSchema,
  /** Unix seconds. */
  timestamp: z.number().transform(Math.floor),
  /**
   * Raw, its content depends on the kind; null also when the service left it out, or wrote no object: one odd action must
   * not hide the alert. Fields in it are not checked one by one: there may be very many.
   */
  data: z
    .custom<Data>(isObject)
    .nullish()
    .catch(null)
    .transform((data) => (data ? cleanData(data) : null)),
})
/** One entry of an alert's history. */
export type Action = Readonly<z.output<typeof actionSchema>>

// Unknown fields are dropped: the service may add some at any time.
export const alertSchema = z.object({
  /** Not cut: a shorter key would be another alert's. */
  ks: z.string().transform(storable),
  /** The message of the first hit, which opened the alert. */
  message: textSchema,
  /** The severity of the first hit: 0 is the highest and 7 the lowest, other integers are let through. */
  severity: z.int(),
  timestamp: z.int(),
  /** The message, severity and time of the last hit; the same as those of the first hit if there was only one. */
  lastMessage: textSchema,
  lastSeverity: z.int(),
  lastTimestamp: z.int(),
  /** User id, null while unassigned. */
  ownerId: z.int().nullable(),
  /** Null while open. */
  closedTimestamp: z.int().nullable(),
  /** Sorted oldest first, those of one second in the service's order; may be empty. */
  actions: z
    .array(actionSchema)
    // toSorted is stable.
    .transform((actions): readonly Action[] =>
      actions.toSorted((a, b) => a.timestamp - b.timestamp),
    ),
})

/** An alert as the service tells it. Text is raw, not escaped; times are Unix seconds. */
export type Alert = Readonly<z.output<typeof alertSchema>>

/** An open alert as a list has it, without its history. Text is raw. */
export type OpenAlert = Readonly<z.output<typeof openAlertSchema>>

/** Compares two alerts, to sort the gravest first; of equally grave ones, the newest first. */
export function gravestFirst(one: OpenAlert, other: OpenAlert): number {
  return one.lastSeverity - other.lastSeverity || other.timestamp - one.timestamp
}

const openAlertSchema = alertSchema.pick({
  ks: true,
  timestamp: true,
  lastMessage: true,
  lastSeverity: true,
  ownerId: true,
})
export const openAlertFields = fieldsOf(openAlertSchema)
/** Open alerts, in the service's order. */
export const openAlertsSchema = z
  .array(openAlertSchema)
  .transform((alerts: readonly OpenAlert[]) => ({ kind: 'listed', alerts }) as const)

/** @throws MonitorError `malformed`, naming the fields that do not fit but never what they held. */
export function parseAs<Output>(schema: z.ZodType<Output>, text: string): Output {
  const parsed = schema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  const fields = new Set(
    parsed.error.issues.map((issue) => issue.path.slice(0, 3).join('.') || 'the whole'),
  )
  const named = [...fields].slice(0, 5).join(', ')
  throw new MonitorError('malformed', `The answer does not fit the contract (${named}).`)
}

/**
 * True if two keys differ at most in capitals, percent-encoding or Unicode normalization: one key may be written in
 * two ways.
 * Source: the API document of the service, “Alert”, which doesn't promise to write a key as it was asked for.
 */
export function isSameKey(one: string, other: string): boolean {
  return one === other || plainForm(one) === plainForm(other)
}

/** True if two addresses are the same but for capitals of A to Z. Capitals of other letters may be other addresses. */
export function isSameAddress(one: string, other: string): boolean {
  return plainAddress(one) === plainAddress(other)
}

/** The address with its ASCII letters small: equal for all ways to write one person's address. */
export function plainAddress(address: string): string {
  return address.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** One form for all ways to write a key. If its percent signs encode no text, they stay. */
function plainForm(key: string): string {
  try {
    return decodeURIComponent(key).normalize('NFC').toLowerCase()
  } catch {
    return key.normalize('NFC').toLowerCase()
  }
}

export type Data = Readonly<Record<string, unknown>>

/** Characters that are kept of a text, such as an alert's message; a modal shows 2,500. */
const longestText = 20_000

const longestServiceName = 200
/** Characters: no address has more. Source: RFC 5321, 4.5.3.1. */
const longestAddress = 320
const longestFlag = 100
const mostFlags = 200

const nameSchema = z
  .string()
  .nullish()
  .transform((name) => cleanText((name ?? '').slice(0, longestServiceName)))
const truth = z.boolean().nullish().transform(Boolean)
// A list that is too long is refused and never cut: writing a shorter list back would take flags away.
const flagsSchema = z
  .array(z.string().max(longestFlag))
  .max(mostFlags)
  .transform((all): readonly string[] => all)

const personSchema = z.object({
  id: z.int(),
  name: nameSchema,
  /** Undefined if this token may not see the address: people choose whether others see theirs. */
  email: z
    .string()
    .nullish()
    .transform((email) => (email && email.length <= longestAddress ? cleanText(email) : undefined)),
  /** How they sign in, as the service spells it: an address may exist for several ways. Undefined if it doesn't say. */
  authProvider: z
    .string()
    .nullish()
    .transform((provider) =>
      provider == null ? undefined : cleanText(provider.slice(0, longestFlag)),
    ),
  /** True of people who are on the container because they are on another one, such as its parent. */
  inherit: truth,
  member: truth,
  /** True of people who silenced what the service sends them. */
  mute: truth,
  /** As they came, even flags that the contract doesn’t name: so the list can be written back whole. */
  permissions: flagsSchema,
})
/** Somebody on a container. Text is raw. */
export type ContainerPerson = Readonly<z.output<typeof personSchema>>
export const personFields = fieldsOf(personSchema)
/** People on a container, in the service's order. */
export const peopleSchema = z
  .array(personSchema)
  .transform((people: readonly ContainerPerson[]) => ({ kind: 'listed', people }) as const)

const inviteSchema = personSchema.pick({ email: true, member: true, permissions: true })
export const inviteFields = fieldsOf(inviteSchema)
export const invitesSchema = z
  .array(inviteSchema)
  .transform((people) => ({ kind: 'listed', people }) as const)

const modes = ['normal', 'maintenance', 'disabled'] as const
/** Modes of a machine: in `maintenance`, the service tells nobody anything about it; `disabled`, it isn't checked. */
export type Mode = (typeof modes)[number]
/** A machine; or, without `asset`, a whole container. */
export interface ModeTarget {
  readonly container: number
  readonly asset?: number | undefined
}
/** Undefined for a mode that the service's documentation doesn't name. */
const modeSchema = z.enum(modes).optional().catch(undefined)

/** A container, or a machine in a list of machines. */
const namedSchema = z.object({ id: z.int(), name: nameSchema, mode: modeSchema })
export const namedFields = fieldsOf(namedSchema)
const found = <One>(one: One) => ({ kind: 'found', ...one }) as const
export const containerSchema = namedSchema.transform(found)

/** A machine that alerts are on. Names are raw, may be empty, and are not unique. */
export type Asset = Readonly<z.output<typeof namedSchema>>
/** Machines, in the service's order. */
export const assetsSchema = z
  .array(namedSchema)
  .transform((assets: readonly Asset[]) => ({ kind: 'listed', assets }) as const)

const assetAloneSchema = namedSchema.extend({
  /** Number of the container that the machine is in now. */
  container: z.int(),
})
export const assetFields = fieldsOf(assetAloneSchema)
export const assetSchema = assetAloneSchema.transform(found)

export const ownPermissionsSchema = z
  .object({ permissions: flagsSchema })
  .transform((own) => ({ kind: 'known', ...own }) as const)
