// The contract's own lists and the shape of a container user, kept apart from Bellhop's
// so that a mistake there is not repeated here. Source: the API document of the service; of all but its two operations,
// the service's documentation.
import { z } from 'zod'

export const alertFields = [
  'ks',
  'message',
  'severity',
  'timestamp',
  'lastMessage',
  'lastSeverity',
  'lastTimestamp',
  'ownerId',
  'closedTimestamp',
] as const
export type AlertField = (typeof alertFields)[number]

/** Of alerts in a list: open ones, so that they have no time of closing. */
export const listedFields = alertFields.filter((field) => field !== 'closedTimestamp')

export const actionFields = ['kind', 'timestamp', 'data'] as const
export type ActionField = (typeof actionFields)[number]

export const permissionFlags = [
  'READ',
  'ALERT_ASSIGN',
  'ALERT_CHANGE',
  'API',
  'ASSET_MANAGEMENT',
  'BILLING',
  'CHECK_MANAGEMENT',
  'CONTAINER_ACCESS',
  'CONTAINER_ADMIN',
  'CONTAINER_MANAGEMENT',
  'CONTAINER_TOKENS',
  'CORE_CONNECT',
  'INSERT_CHECK_DATA',
  'PURGE_TIME_SERIES',
  'REPORTING_ADMIN',
  'REPORTING_VIEW',
  'RULE_EMAIL',
  'RULE_MANAGEMENT',
  'RULE_PHONE',
  'TIME_SERIES_MANAGEMENT',
  'VIEW_LOG',
  'WEBHOOKS',
] as const
export type PermissionFlag = (typeof permissionFlags)[number]

export const userFields = [
  'id',
  'name',
  'email',
  'authProvider',
  'inherit',
  'member',
  'mute',
  'permissions',
] as const

export const invitationFields = ['email', 'member', 'permissions'] as const

export const containerFields = ['id', 'name', 'timezone', 'mode', 'properties'] as const

export const assetFields = [
  'id',
  'container',
  'zone',
  'name',
  'kind',
  'description',
  'mode',
  'labels',
  'disabledChecks',
  'properties',
] as const

/** Of assets and of containers. */
const modes = ['normal', 'maintenance', 'disabled'] as const
export type Mode = (typeof modes)[number]

/** Of a container. Source: the documentation of the service, “Containers”. */
export const mostAssets = 2_000

const authProviders = ['Password', 'Google', 'Microsoft'] as const
export type AuthProvider = (typeof authProviders)[number]

/** Strict: the contract names no other fields. */
export const containerUserSchema = z.strictObject({
  email: z.string().min(1),
  authProvider: z.enum(authProviders).optional(),
  member: z.boolean().default(false),
  permissions: z.array(z.enum(permissionFlags)).default([]),
})

/** What is left out stays as it is. Flags that are not documented may be written back where somebody has them. */
export const changedUserSchema = z.strictObject({
  member: z.boolean().optional(),
  permissions: z.array(z.string()).optional(),
})

/** Strict as well. Whether what is no address is refused is not documented: it is not. */
export const invitationSchema = containerUserSchema
  .omit({ authProvider: true })
  .extend({ sendInvitationEmail: z.boolean().default(true) })
export const withdrawalSchema = containerUserSchema.pick({ email: true })

/** How long a mode lasts, in minutes; without it for ever. What is normal has no end. */
const durationSchema = z.int().min(1).max(480)

/** Strict: the documentation names no other fields. */
export const modeSchema = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('normal') }),
  z.strictObject({
    mode: z.enum(modes).exclude(['normal']),
    duration: durationSchema.optional(),
  }),
])

/** Open alerts in a container that is not put back to normal any more. */
export const tooManyForNormal = 500

/** Bodies of what is done to an alert, apart from the lengths of their texts. */
export const assignSchema = z.strictObject({ userId: z.int(), message: z.string().default('') })
export const commentSchema = z.strictObject({ message: z.string().min(1) })
export const closeSchema = z.strictObject({
  message: z.string().default(''),
  isSolution: z.boolean().default(false),
})

/** Of texts in assignments and comments, and of a closing. */
export const maxMessage = 240
export const maxClosing = 2_000

/** Of a solution, unless the container has this property. */
export const minSolution = 60
export const minSolutionProperty = 'infrasonar_alert_minimum_solution_length'

/** The contract has “a valid alert key string” and does not say which: 1 to 64 visible characters or spaces. */
export function isKey(ks: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}$/u.test(ks)
}
