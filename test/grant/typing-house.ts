// A house for lines of `/grant` as people type them: a clock, a zone, and people of a container.

import type { House } from '../../src/house.ts'
import type { ContainerPerson } from '../../src/monitor/schema.ts'
import { openHouse } from '../house.ts'

export const typist = { workspaceId: 'T1', userId: 'U1' }
/** A Tuesday, 13:00 in Amsterdam. */
const now = Date.parse('2026-12-01T12:00:00Z')

const person = (id: number, name: string, email: string): ContainerPerson => ({
  id,
  name,
  email,
  member: true,
  permissions: ['READ'],
  authProvider: undefined,
  inherit: false,
  mute: false,
})
const people = [
  person(9, 'Dave Doe', 'dave@example.com'),
  person(10, 'Erin East', 'erin@example.com'),
  person(11, 'Erin West', 'ewest@example.com'),
  person(12, 'Vera Viewers', 'vera@example.com'),
]

/** A house whose typist has a token; container 34 is known by its name. */
export async function openTyping(env: Record<string, string> = {}): Promise<House> {
  const house = await openHouse({ now: () => now, env: { MONITOR_OPERATIONS: 'all', ...env } })
  house.names
    .used({ owner: typist, token: 'token' })
    .note(34, { name: 'Shop in the Mall', people: [] })
  house.names.used({ owner: typist, token: 'token' }).note(35, { name: 'Mallorca', people: [] })
  return {
    ...house,
    tokens: { ...house.tokens, find: async () => 'token' },
    monitor: { ...house.monitor, usersOf: async () => ({ kind: 'listed' as const, people }) },
    slack: {
      ...house.slack,
      people: { ...house.slack.people, zoneOf: async () => 'Europe/Amsterdam' },
    },
  }
}
