// Operations on one alert: reading, assigning, commenting, closing.
// Source: the API document of the service; of all but the reading, its documentation.
import type { z } from 'zod'
import type { KnownAlert } from './alerts.ts'
import { bodyOf, decode, done, pick, refusals, select } from './answers.ts'
import {
  actionFields,
  alertFields,
  assignSchema,
  closeSchema,
  commentSchema,
  isKey,
  maxClosing,
  maxMessage,
  minSolution,
  minSolutionProperty,
  type PermissionFlag,
} from './contract.ts'
import type { Asked, Reply } from './wire/exchange.ts'
import { type AlertSight, hasFlags, type NewToken, reopenAlert, type World } from './world.ts'

export function readAlert(world: World, asked: Asked, token: NewToken, segment: string): Reply {
  const { ks, known } = find(world, segment)
  if (!hasFlags(world, token, known?.containerId, ['API', 'READ'])) return refusals.forbidden
  const fields = select(asked, 'fields', alertFields)
  const actions = select(asked, 'actions', actionFields)
  if (fields === 'unknown' || actions === 'unknown') return refusals.invalid
  if (ks === undefined || !isKey(ks)) return refusals.invalid
  if (known === undefined) return refusals.notFound
  const shown = asShown(world, known)
  const body: Record<string, unknown> = pick(shown.values, fields ?? alertFields)
  if (actions !== undefined) body.actions = shown.actions.map((action) => pick(action, actions))
  return { status: 200, body }
}

/** Counts a read of it. */
export function asShown(world: World, known: KnownAlert): AlertSight {
  return world.laterAlerts.read(known.values.ks) ?? known
}

export function assign(world: World, asked: Asked, token: NewToken, segment: string): Reply {
  const body = write(world, asked, token, segment, { flag: 'ALERT_ASSIGN', schema: assignSchema })
  if ('status' in body) return body
  const { known, wish } = body
  const { userId: ownerId, message } = wish
  if (lengthOf(message) > maxMessage) return refusals.invalid
  if (!isMember(world, ownerId, known)) return refusals.notFound
  if (
    known === undefined ||
    (known.values.ownerId === ownerId && world.ways.assignToOwner === 'nothing')
  )
    return done
  return act(world, known, { kind: 'Assign', data: { ...actor(token), ownerId, message } })
}

export function comment(world: World, asked: Asked, token: NewToken, segment: string): Reply {
  const body = write(world, asked, token, segment, { flag: 'ALERT_CHANGE', schema: commentSchema })
  if ('status' in body) return body
  const { known, wish } = body
  if (lengthOf(wish.message) > maxMessage) return refusals.invalid
  if (known === undefined) return done
  return act(world, known, { kind: 'Comment', data: { ...actor(token), message: wish.message } })
}

export function close(world: World, asked: Asked, token: NewToken, segment: string): Reply {
  const body = write(world, asked, token, segment, { flag: 'ALERT_CHANGE', schema: closeSchema })
  if ('status' in body) return body
  const { known, wish } = body
  const { message, isSolution } = wish
  if (lengthOf(message) > maxClosing) return refusals.invalid
  if (isSolution && lengthOf(message) < shortestSolution(world, known)) return refusals.invalid
  // The message of a close that comes too late is lost.
  if (known === undefined || known.values.closedTimestamp !== null) return done
  hideFromReads(world, known)
  const data = { ...actor(token), message, ...(isSolution ? { isSolution } : {}) }
  known.handle.close('Close', data)
  const { reopens } = world.ways
  if (reopens === 'never') return done
  const { ks } = known.values
  if (reopens.when === 'at-once') reopenAlert(world, ks, reopens.key)
  else {
    const reopensAt = reopens.when === 'told' ? undefined : world.now() + reopens.when.afterMs
    world.earlyCloses.set(ks, { key: reopens.key, reopensAt })
  }
  return done
}

function find(
  world: World,
  segment: string,
): { ks: string | undefined; known: KnownAlert | undefined } {
  const ks = decode(segment)
  return {
    ks,
    known: ks === undefined ? undefined : world.alerts.get(world.spellings.get(ks) ?? ks),
  }
}

/** @returns A refusal, or what is wanted of which alert; there may be none of that key. */
function write<Schema extends z.ZodType>(
  world: World,
  asked: Asked,
  token: NewToken,
  segment: string,
  { flag, schema }: { readonly flag: PermissionFlag; readonly schema: Schema },
): Reply | { readonly known: KnownAlert | undefined; readonly wish: z.output<Schema> } {
  const { ks, known } = find(world, segment)
  if (!hasFlags(world, token, known?.containerId, ['API', flag])) return refusals.forbidden
  const wish = bodyOf(asked, schema)
  if (wish === undefined || ks === undefined || !isKey(ks)) return refusals.invalid
  return { known, wish }
}

/** Assigning and commenting, which are meant for open alerts. */
function act(
  world: World,
  known: KnownAlert,
  action: Parameters<KnownAlert['handle']['act']>[0],
): Reply {
  if (known.values.closedTimestamp !== null) {
    if (world.ways.onClosed === 'refused') return refusals.invalid
    if (world.ways.onClosed === 'nothing') return done
  }
  hideFromReads(world, known)
  known.handle.act(action)
  return done
}

function hideFromReads({ ways, laterAlerts }: World, { values, actions }: KnownAlert): void {
  if (ways.visible === 'at-once') return
  laterAlerts.hide(values.ks, { values: { ...values }, actions: [...actions] }, ways.visible)
}

/** A container's token has nobody behind it. */
function actor({ userId }: NewToken): { readonly userId?: number } {
  return userId === undefined ? {} : { userId }
}

/** Of the alert's container; of any where the alert is not known, or its container does not matter. */
function isMember({ people }: World, userId: number, known: KnownAlert | undefined): boolean {
  if (known === undefined) return people.users.has(userId)
  const { containerId } = known
  const asked = [...people.containers.values()].filter(
    ({ id }) => containerId === undefined || id === containerId,
  )
  return asked.some(({ seats }) => seats.get(userId)?.member === true)
}

function shortestSolution({ people }: World, known: KnownAlert | undefined): number {
  const properties = people.containers.get(known?.containerId ?? 0)?.properties
  return Number(properties?.get(minSolutionProperty) ?? minSolution)
}

/** In code points. */
const lengthOf = (text: string) => [...text].length
