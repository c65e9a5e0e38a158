// Answers of the monitoring service about a container, checked once at the border: its people, its name, its open
// alerts, and what a token may do. Text is raw, and cut to what people can read. Pure.
// Source: the service's documentation, as containers.ts names it.
import { z } from 'zod'
import { type Alert, alertSchema, parseAs } from './schema.ts'

/** Somebody of a container, as one token sees them. Text is raw. */
export interface ContainerPerson {
  /** At the service. */
  readonly id: number
  /** May be empty. */
  readonly name: string
  /** Undefined where this token may not see it: people choose whether others do. */
  readonly email: string | undefined
  /** How they sign in, as the service spells it: an address may exist several times. Undefined where it does not say. */
  readonly authProvider: string | undefined
  /** They come from another container, such as a parent. */
  readonly inherit: boolean
  readonly member: boolean
  /** They silenced what the service sends them. */
  readonly mute: boolean
  /** As they came: flags the contract doesn't name among them, so that a list can be written back whole. */
  readonly permissions: readonly string[]
}

/** What a list of people is asked for. */
export const personFields = [
  ...(['id', 'name', 'email', 'authProvider'] as const),
  ...(['inherit', 'member', 'mute', 'permissions'] as const),
] as const

/** Characters of a name, of somebody or of a container. */
const longestServiceName = 200
/** Characters: no address has more. Source: RFC 5321, 4.5.3.1. */
const longestAddress = 320
const longestFlag = 100
const mostFlags = 200
/** A container holds fewer; more is no list of people. */
const mostPeople = 10_000

const nameSchema = z
  .string()
  .nullish()
  .transform((name) => (name ?? '').slice(0, longestServiceName).toWellFormed())
const truth = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false)
// Never cut: whoever writes a shorter list back takes flags away.
const flagsSchema = z.array(z.string().max(longestFlag)).max(mostFlags)

const personSchema = z.object({
  id: z.int(),
  name: nameSchema,
  email: z
    .string()
    .nullish()
    .transform((email) => (email && email.length <= longestAddress ? email : undefined)),
  authProvider: z
    .string()
    .nullish()
    .transform((provider) => provider?.slice(0, longestFlag)),
  inherit: truth,
  member: truth,
  mute: truth,
  permissions: flagsSchema,
})
const peopleSchema = z.array(personSchema).max(mostPeople)

/** In the service's order. @throws MonitorError as `parseAlertAnswer`. */
export function parsePeopleAnswer(text: string): readonly ContainerPerson[] {
  return parseAs(peopleSchema, text)
}

const containerSchema = z.object({ id: z.int(), name: nameSchema })

/** @throws MonitorError as `parseAlertAnswer`. */
export function parseContainerAnswer(text: string): { readonly id: number; readonly name: string } {
  return parseAs(containerSchema, text)
}

/** More properties than anybody reads. */
const mostProperties = 1_000
/** The longest text that closing takes; a container that asks for more takes none. */
const longestSolution = 2_000

const propertiesSchema = z.object({
  id: z.int(),
  properties: z.array(z.object({ key: z.string(), value: z.unknown() })).max(mostProperties),
})

/** @returns Characters, at least 1; undefined where the container doesn't say. @throws MonitorError as `parseAlertAnswer`. */
export function parseShortestSolutionAnswer(text: string): {
  readonly id: number
  readonly shortest: number | undefined
} {
  const { id, properties } = parseAs(propertiesSchema, text)
  const said = properties.find(({ key }) => key === 'infrasonar_alert_minimum_solution_length')?.value
  const shortest = typeof said === 'number' || typeof said === 'string' ? Number(said) : Number.NaN
  const isLength = Number.isInteger(shortest) && shortest >= 1 && shortest <= longestSolution
  return { id, shortest: isLength ? shortest : undefined }
}

/** An open alert as a container's list has it, without its history. Text is raw. */
export type ContainerAlert = Pick<
  Alert,
  'ks' | 'timestamp' | 'lastMessage' | 'lastSeverity' | 'lastTimestamp' | 'ownerId'
>

/** What a container's list is asked for. */
export const containerAlertFields = [
  'ks',
  'timestamp',
  'lastMessage',
  'lastSeverity',
  'lastTimestamp',
  'ownerId',
] as const

const containerAlertsSchema = z.array(
  alertSchema.pick({
    ks: true,
    timestamp: true,
    lastMessage: true,
    lastSeverity: true,
    lastTimestamp: true,
    ownerId: true,
  }),
)

/** In the service's order. @throws MonitorError as `parseAlertAnswer`. */
export function parseContainerAlertsAnswer(text: string): readonly ContainerAlert[] {
  return parseAs(containerAlertsSchema, text)
}

const permissionsSchema = z.object({ permissions: flagsSchema, tokenType: z.string().nullish() })

/** @throws MonitorError as `parseAlertAnswer`. */
export function parsePermissionsAnswer(text: string): {
  readonly permissions: readonly string[]
  readonly tokenType: 'user' | 'container' | undefined
} {
  const { permissions, tokenType } = parseAs(permissionsSchema, text)
  const isKnown = tokenType === 'user' || tokenType === 'container'
  return { permissions, tokenType: isKnown ? tokenType : undefined }
}

const containerIdSchema = z.object({ containerId: z.int() })

/** @throws MonitorError as `parseAlertAnswer`. */
export function parseContainerIdAnswer(text: string): number {
  return parseAs(containerIdSchema, text).containerId
}
