// Flags, what each lets somebody do, and roles: names for sets of flags, as this installation has them. Pure; raw text.

/**
 * Flags, in the order of the service’s contract (its API document). Meanings have at most 75 characters, Slack’s limit for
 * a checkbox description.
 */
export const flagMeanings = {
  READ: 'View the container',
  ALERT_ASSIGN: 'Assign alerts',
  ALERT_CHANGE: 'Comment on alerts and close them',
  API: 'Make API calls to this container (needed for /alert)',
  ASSET_MANAGEMENT: 'Create assets, assign labels, change the asset mode',
  BILLING: 'View the credits tab',
  CHECK_MANAGEMENT: 'Enable or disable checks, change a check interval',
  CONTAINER_ACCESS: 'Add users and manage their access rights',
  CONTAINER_ADMIN: 'Manage labels and conditions, enable or disable collectors',
  CONTAINER_MANAGEMENT: 'Rename or move the container, create child containers',
  CONTAINER_TOKENS: 'Add container tokens and manage their access rights',
  CORE_CONNECT: 'Let agent cores connect to the service hub',
  INSERT_CHECK_DATA: 'Insert check data through the API (agents need it)',
  PURGE_TIME_SERIES: 'Purge dead time series',
  REPORTING_ADMIN: 'Make, change or delete report configurations',
  REPORTING_VIEW: 'Open reporting and download reports',
  RULE_EMAIL: 'Add own rules by email (also needed for app rules)',
  RULE_MANAGEMENT: 'View and edit all rules, those of other users too',
  RULE_PHONE: 'Add own rules by SMS, voice call or messaging app',
  TIME_SERIES_MANAGEMENT: 'Enable or disable time series in the database',
  VIEW_LOG: 'View the logs',
  WEBHOOKS: 'Make, change or delete webhooks',
} as const

export type Flag = keyof typeof flagMeanings

export function isFlag(word: string): word is Flag {
  return Object.hasOwn(flagMeanings, word)
}

export const flags = Object.keys(flagMeanings).filter(isFlag)

/** The five groups of the form, in order; each flag is in one of them. */
export const flagGroups: readonly { readonly label: string; readonly flags: readonly Flag[] }[] = [
  { label: 'Viewing', flags: ['READ', 'VIEW_LOG', 'REPORTING_VIEW', 'BILLING'] },
  {
    label: 'Alerts',
    flags: ['ALERT_ASSIGN', 'ALERT_CHANGE', 'RULE_EMAIL', 'RULE_PHONE', 'RULE_MANAGEMENT'],
  },
  {
    label: 'Assets and checks',
    flags: ['ASSET_MANAGEMENT', 'CHECK_MANAGEMENT', 'TIME_SERIES_MANAGEMENT', 'PURGE_TIME_SERIES'],
  },
  {
    label: 'Administration',
    flags: [
      'CONTAINER_ACCESS',
      'CONTAINER_ADMIN',
      'CONTAINER_MANAGEMENT',
      'CONTAINER_TOKENS',
      'REPORTING_ADMIN',
      'WEBHOOKS',
    ],
  },
  { label: 'Machine access', flags: ['API', 'CORE_CONNECT', 'INSERT_CHECK_DATA'] },
]

/** Flags that ask for confirmation before they are granted. */
export const sensitiveFlags: ReadonlySet<Flag> = new Set([
  'CONTAINER_ACCESS',
  'CONTAINER_ADMIN',
  'CONTAINER_MANAGEMENT',
  'CONTAINER_TOKENS',
  'PURGE_TIME_SERIES',
  'CORE_CONNECT',
  'INSERT_CHECK_DATA',
  'RULE_MANAGEMENT',
  'WEBHOOKS',
])

/** The flags among some words, each once, in the contract’s order. */
export function inOrder(wanted: readonly string[]): readonly Flag[] {
  return flags.filter((flag) => wanted.includes(flag))
}

/** Named sets of flags. Names are lower case without blanks; flags are in the contract's order, and at least one. */
export type Roles = Readonly<Record<string, readonly Flag[]>>

export interface GrantSettings {
  readonly roles: Roles
  /** Sign-in providers, as the service spells them. */
  readonly authProviders: readonly string[]
  /** True if the service can do more than add people. Default: false. */
  readonly hasAllOperations?: boolean
}

export function asProvider(name: string): string {
  return /\s/.test(name) ? `"${name}"` : name
}

const viewer = inOrder(['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG'])
const responder = inOrder([...viewer, 'ALERT_ASSIGN', 'ALERT_CHANGE', 'RULE_EMAIL', 'RULE_PHONE'])
const operator = inOrder([
  ...responder,
  'ASSET_MANAGEMENT',
  'CHECK_MANAGEMENT',
  'TIME_SERIES_MANAGEMENT',
])
const notForPeople: readonly Flag[] = ['CORE_CONNECT', 'INSERT_CHECK_DATA', 'PURGE_TIME_SERIES']

/** Roles, unless GRANT_PRESETS sets others. API is in all of them, because looking up an alert needs API and READ. */
export const defaultRoles: Roles = {
  viewer,
  responder,
  operator,
  admin: flags.filter((flag) => !notForPeople.includes(flag)),
}

/** True for flags that handle alerts: whoever has one must be a member, as alerts are assigned to members alone. */
export function handlesAlerts(permissions: readonly Flag[]): boolean {
  return permissions.includes('ALERT_ASSIGN') || permissions.includes('ALERT_CHANGE')
}

export const memberWords = 'Alerts can be assigned to them'

/** Name of the role with exactly these flags, in the order of `flags`; undefined if there is none. */
export function roleOf(permissions: readonly Flag[], roles: Roles): string | undefined {
  return Object.keys(roles).find((name) => roles[name]?.join() === permissions.join())
}

/** “Admin”. Raw. */
export function roleTitle(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** “19 flags, 6 sensitive”. */
export function countWords(permissions: readonly Flag[]): string {
  const sensitive = permissions.filter((flag) => sensitiveFlags.has(flag)).length
  const count = permissions.length === 1 ? '1 flag' : `${permissions.length} flags`

  return sensitive === 0 ? count : `${count}, ${sensitive} sensitive`
}

/** One line of what these flags allow. Raw. */
export function allowedWords(permissions: readonly Flag[]): string {
  const allowed = flagGroups
    .flatMap((group) => group.flags)
    .filter((flag) => permissions.includes(flag))

  // Remarks in brackets are only for the boxes of the form.
  return allowed.map((flag) => flagMeanings[flag].replace(/ \(.*\)$/, '')).join(' · ')
}

export function roleAllows(permissions: readonly Flag[]): string {
  return [allowedWords(permissions), ...(handlesAlerts(permissions) ? [memberWords] : [])].join(
    ' · ',
  )
}
