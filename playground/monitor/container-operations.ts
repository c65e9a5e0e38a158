// Operations on containers: their details, and lists of open alerts.
// Source: the documentation of the service.
import { asShown } from './alert-operations.ts'
import type { KnownAlert } from './alerts.ts'
import { pick, refusals, select } from './answers.ts'
import { containerFields, listedFields } from './contract.ts'
import type { Asked, Reply } from './wire/exchange.ts'
import { hasFlags, type NewToken, type World } from './world.ts'

/** Every field unless told. */
export function readContainer(world: World, asked: Asked, token: NewToken, id: number): Reply {
  const container = world.people.containers.get(id)
  if (container === undefined) return refusals.notFound
  if (!hasFlags(world, token, id, ['API', 'READ'])) return refusals.forbidden
  const fields = select(asked, 'fields', containerFields)
  if (fields === 'unknown') return refusals.invalid
  const properties = [...container.properties].map(([key, value]) => ({ key, value }))
  const shown = { ...container, properties, mode: world.modes.shown(`container/${id}`) }
  return { status: 200, body: pick(shown, fields ?? containerFields) }
}

/** For containers' tokens only. */
export function readOwnContainer(world: World, token: NewToken): Reply {
  const { flags, userId, containerId } = token
  const only = Array.isArray(flags) ? [] : Object.keys(flags).map(Number)
  const own = containerId ?? (only.length === 1 ? only[0] : [...world.people.containers.keys()][0])
  if (userId !== undefined || own === undefined || !hasFlags(world, token, own, ['API']))
    return refusals.forbidden
  return { status: 200, body: { containerId: own } }
}

export function listContainerAlerts(
  world: World,
  asked: Asked,
  token: NewToken,
  id: number,
): Reply {
  if (!world.people.containers.has(id)) return refusals.notFound
  if (!hasFlags(world, token, id, ['API', 'READ'])) return refusals.forbidden
  return listAlerts(world, asked, ({ containerId }) => containerId === id)
}

/** Open alerts alone, in no order that is promised; `ks` alone unless told. */
export function listAlerts(
  world: World,
  asked: Asked,
  isIn: (alert: KnownAlert) => boolean,
): Reply {
  const fields = select(asked, 'fields', listedFields)
  if (fields === 'unknown') return refusals.invalid
  const open = [...world.alerts.values()]
    .filter(isIn)
    .map((known) => asShown(world, known).values)
    .filter(({ closedTimestamp }) => closedTimestamp === null)
  return {
    status: 200,
    body: open.map((values) => pick(values, fields ?? (['ks'] as const))).toReversed(),
  }
}
