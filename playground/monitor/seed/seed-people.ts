// People and containers of the seed, with what they may do. Data only.
import { type PermissionFlag, permissionFlags } from '../contract.ts'
import type { NewMember, NewUser } from '../people.ts'
import type { MonitorService } from '../start-monitor.ts'

/**
 * Tokens of the seed. `alice` may do all that people may, `bob` only reads, `carol` adds people to 12 alone, `mallory`
 * nothing.
 */
export const seedTokens = {
  alice: 'demo-alice-token',
  bob: 'demo-bob-token',
  carol: 'demo-carol-token',
  mallory: 'demo-mallory-token',
} as const

const ofMachines: readonly PermissionFlag[] = [
  'CORE_CONNECT',
  'INSERT_CHECK_DATA',
  'PURGE_TIME_SERIES',
]
// Flags of Bellhop's roles of these names.
const admin = permissionFlags.filter((flag) => !ofMachines.includes(flag))
const viewer: readonly PermissionFlag[] = ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG']
const responder: readonly PermissionFlag[] = [
  ...viewer,
  'ALERT_ASSIGN',
  'ALERT_CHANGE',
  'RULE_EMAIL',
  'RULE_PHONE',
]
const reading: readonly PermissionFlag[] = ['API', 'READ']
const adding: readonly PermissionFlag[] = ['API', 'READ', 'CONTAINER_ACCESS']

const alice = { id: 7, email: 'alice@example.com', name: 'Alice Archer' }
const bob = { id: 8, email: 'bob@example.com', name: 'Bob Baker' }
const carol = { id: 10, email: 'carol@example.com', name: 'Carol Chen' }
const mallory = { id: 11, email: 'mallory@example.com', name: 'Mallory Moss' }
/** Works at the service's own pages, and is not in Slack. */
const heidi = { id: 9, email: 'heidi@example.com', name: 'Heidi Holm' }

const others: readonly NewUser[] = [
  mallory,
  { id: 12, email: 'dave@example.com', name: 'Dave Diaz' },
  { id: 13, email: 'erin@example.com', name: 'Erin Ellis', authProvider: 'Google' },
  { id: 14, email: 'erin@example.com', name: 'Erin Ellis', authProvider: 'Microsoft' },
  { id: 15, email: 'frank@example.com', name: 'Frank Fox', authProvider: 'Google' },
  { id: 16, email: 'grace@example.com', name: 'Grace Green', authProvider: 'Microsoft' },
  { id: 17, email: "o'hara+ops@example.com", name: 'Orla O’Hara' },
]

const onCustomer1: readonly NewMember[] = [
  { ...alice, member: true, permissions: admin },
  { ...bob, member: true, permissions: reading },
  { ...heidi, member: true, permissions: ['READ', 'ALERT_ASSIGN', 'ALERT_CHANGE'] },
  { ...carol, permissions: adding },
]

/** One for each thing that is odd about somebody on a container. */
const oddOnCustomer1: readonly NewMember[] = [
  { ...named(18, 'Ines Ito'), inherit: true, member: true, permissions: responder },
  { ...named(19, 'Kim Kuhn'), mute: true, member: true, permissions: responder },
  { ...named(20, 'Lea Lund'), hidesEmail: true, permissions: viewer },
  { ...named(21, 'Nils Nowak'), permissions: [...viewer, 'WEBHOOKS'] },
  { ...named(22, 'Tom Tanaka'), permissions: [...viewer, 'OF_TOMORROW'] },
]

function named(id: number, name: string): NewUser {
  const [first = ''] = name.toLowerCase().split(' ')
  return { id, name, email: `${first}@example.com` }
}

export function addTokens(service: MonitorService): void {
  const token = (name: keyof typeof seedTokens, userId: number) => ({
    token: seedTokens[name],
    name,
    userId,
  })
  service.addToken({ ...token('alice', alice.id), flags: admin })
  service.addToken({ ...token('bob', bob.id), flags: reading })
  service.addToken({ ...token('carol', carol.id), flags: { 12: adding, 34: reading } })
  service.addToken({ ...token('mallory', mallory.id), flags: [] })
}

export function addPeople(service: MonitorService): void {
  service.addContainer(12, { name: 'Customer 1', users: [...onCustomer1, ...oddOnCustomer1] })
  // Addresses that are named nowhere here, such as new@example.com, can be invited as well.
  service.addInvitation(12, { email: 'pat@example.com', permissions: viewer })
  service.addContainer(34, {
    name: 'Customer 2',
    users: [
      { ...alice, member: true, permissions: admin },
      { ...bob, permissions: reading },
      { ...carol, permissions: reading },
    ],
  })
  for (const user of others) service.addUser(user)
}
