// As many ends as a test needs, as grants of the past have left them.

import { expect } from 'vitest'
import { type End, refOfContainer } from '../../src/ends/states.ts'
import { dueTime } from '../../src/work/lease.ts'
import { asAnother } from '../send/left-behind.ts'
import type { World } from '../world.ts'
import { runningEnd } from './sample.ts'

const warnMs = 15 * 60_000
const permissions = ['READ', 'API'] as const

export interface Given extends Partial<End> {
  readonly containerId: number
  /** Whoever has it. Default: somebody who isn’t in Slack. */
  readonly has?: { readonly id: number; readonly email: string }
}

/**
 * Gives READ and API to somebody for each, for as long as it says. Alice gave it, unless it says otherwise. Default: people are told before, and it ends in an hour.
 */
export async function gave(world: World, all: readonly Given[]): Promise<readonly End[]> {
  const { alice, clock, service, slack } = world
  for (const id of new Set(all.map(({ containerId }) => containerId))) service.addContainer(id)
  const inAnHour = clock.now() + 60 * 60_000
  const ends = all.map(({ has, ...given }, at): End => {
    const endsAt = given.endsAt ?? inAnHour
    const { id: userId, email } = has ?? { id: 1_000 + at, email: `person-${at}@example.com` }
    service.addMember(given.containerId, { id: userId, email, permissions: [...permissions] })
    const there = { userId, name: '', permissions, member: false }
    return {
      ...runningEnd,
      workspaceId: slack.workspace.teamId,
      id: `r${at}.1`,
      whom: { email, there },
      flags: permissions,
      since: { READ: 0, API: 0 },
      giverId: alice.id,
      askerId: alice.id,
      endsAt,
      dueAt: endsAt - warnMs,
      ...given,
    }
  })
  await asAnother(world, async (storage) => {
    for (const end of ends) await storage.ends.insert(() => end)
  })
  return ends
}

/** People have been told that they end, and that is noted: nothing is due within some minutes. */
export async function untilWarned(world: World): Promise<void> {
  const soon = world.clock.now() + 5 * 60_000
  const firstAt = async () => {
    const [first] = await asAnother(world, ({ ends }) => ends.firstDue(1))
    return first ? (dueTime(first) ?? 0) : Number.POSITIVE_INFINITY
  }
  await expect.poll(firstAt).toBeGreaterThan(soon)
  await world.slack.idle()
}

/** What was due on container 12 has been looked at: it is gone, or due again later. */
export async function untilLookedAt(world: World): Promise<void> {
  const of = { workspaceId: world.slack.workspace.teamId, ref: refOfContainer(12) }
  const left = async () =>
    (await asAnother(world, ({ ends }) => ends.list(of))).filter(
      ({ dueAt, holder }) => holder !== '' || (dueAt ?? 0) <= world.clock.now(),
    )
  await expect.poll(async () => (await left()).length).toBe(0)
  await world.slack.idle()
}

/** A number for each. */
export const times = (count: number) => Array.from({ length: count }, (_, at) => at)
