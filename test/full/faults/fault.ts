// One row of the table of faults: what goes wrong, what people see then, and the fault itself, tried out on the bot.
import { expect } from 'vitest'
import type { Person } from '../../../playground/slack/person/person.ts'
import type { SeenMessage } from '../../../playground/slack/person/seen.ts'
import type { World, WorldOptions } from '../../world.ts'

export interface Told {
  readonly fault: string
  /** What people see. */
  readonly seen: string
}

/** Tried in a world of its own, after which all is well again. */
export interface Fault extends Told {
  readonly options?: WorldOptions
  /** Orders the fault, and lets people do what they do. Each grant is for an address of its own. */
  play(world: World): Promise<void>
}

export const diskFull = { ks: '5HkX', message: 'Disk full', severity: 2, timestamp: 1_700_000_000 } as const

/** All that somebody sees anywhere, in threads too, that reads like this. */
export function seenBy(person: Person, pattern: RegExp, { slack }: World): readonly SeenMessage[] {
  const channels = [...slack.workspace.channels.values()].filter(({ members }) => members.has(person.id))
  return channels
    .flatMap((channel) => person.messages(channel).flatMap((message) => [message, ...message.thread]))
    .filter(({ plain }) => pattern.test(plain))
}

/** How often a grant for this address was sent. */
export function timesSent({ service }: World, email: string): number {
  return service.requests.filter(({ method, body }) => method === 'POST' && Object(body).email === email)
    .length
}

/** Alice grants to somebody the service knows; resolves when Slack has its ack. */
export async function grants({ alice, general, service }: World, email: string): Promise<void> {
  service.addUser({ email })
  await alice.types(`/grant 12 ${email} viewer`, general)
}

/** Nothing was sent twice, the bot is alive, and a good look-up works. */
export async function allIsWell(world: World): Promise<void> {
  const { alice, general, service, slack, url } = world
  slack.trouble.clear()
  service.trouble.clear()
  await service.trouble.up()
  await slack.idle(100)
  const sent = service.requests
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => Object(body).email)
  expect(sent).toEqual([...new Set(sent)])
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  service.addAlert({ ks: 'good', message: 'All is well again' })
  const there = alice.member.isDeleted ? world.bob : alice
  general.isArchived = false
  await there.types('/alert good', there.dm)
  await there.sees(alice.member.isDeleted ? /I need your monitoring account/ : /All is well again/, there.dm)
}
