// The two operations of the contract, and the list of an asset's open alerts, from a request to a reply. No sockets here.
// Source: the API document of the service, “Endpoints”, “Authentication”, “Errors”; of the list, its documentation.
import {
  type ActionField,
  type AlertField,
  actionFields,
  alertFields,
  containerUserSchema,
  isKey,
  listedFields,
} from './contract.ts'
import { hasFlags, type NewToken, type World } from './world.ts'

export interface Reply {
  readonly status: number
  /** A string goes out as plain text, anything else as JSON; undefined: no body. */
  readonly body: unknown
}

export interface Asked {
  readonly method: string
  /** As it came, without the query. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  /** Bearer token; undefined when there was none. */
  readonly token: string | undefined
  readonly contentType: string | undefined
  readonly text: string
}

// The shape of error bodies is not shown in the contract, so nobody may rely on one: they differ on purpose.
const refusals = {
  invalid: { status: 400, body: { error_msg: 'invalid request' } },
  noToken: { status: 401, body: 'Unauthorized' },
  forbidden: { status: 403, body: { status: 403, reason: ['insufficient permissions'] } },
  notFound: { status: 404, body: 'not found' },
  wrongMethod: { status: 405, body: null },
} as const

export function reply(world: World, asked: Asked): Reply {
  const alert = /^\/alert\/([^/]*)$/.exec(asked.path)
  const container = /^\/container\/(-?\d+)\/user$/.exec(asked.path)
  const token = asked.token === undefined ? undefined : world.tokens.get(asked.token)
  if (token === undefined) return refusals.noToken
  if (alert !== null) {
    return asked.method === 'GET' ? queryAlert(world, asked, token, alert[1] ?? '') : refusals.wrongMethod
  }
  const asset = /^\/asset\/([^/]*)\/alerts$/.exec(asked.path)
  if (asset !== null && world.hasLists) {
    return asked.method === 'GET' ? queryAsset(world, asked, token, asset[1] ?? '') : refusals.wrongMethod
  }
  if (container !== null) {
    return asked.method === 'POST'
      ? addToContainer(world, asked, token, Number(container[1]))
      : refusals.wrongMethod
  }
  return refusals.notFound
}

function queryAlert(world: World, asked: Asked, token: NewToken, segment: string): Reply {
  const ks = decode(segment)
  const known = ks === undefined ? undefined : world.alerts.get(world.spellings.get(ks) ?? ks)
  if (!hasFlags(token, known?.containerId, ['API', 'READ'])) return refusals.forbidden
  const query = new URLSearchParams(asked.query)
  const fields = select(query.get('fields'), alertFields)
  const actions = select(query.get('actions'), actionFields)
  if (fields === 'unknown' || actions === 'unknown') return refusals.invalid
  if (ks === undefined || !isKey(ks)) return refusals.invalid
  if (known === undefined) return refusals.notFound
  const body: Record<string, unknown> = pick(known.values, fields ?? alertFields)
  if (actions !== undefined) body.actions = known.actions.map((action) => pick(action, actions))
  return { status: 200, body }
}

/** Open alerts alone, in no order that is promised; `ks` alone unless told. */
function queryAsset(world: World, asked: Asked, token: NewToken, segment: string): Reply {
  const id = /^\d+$/.test(segment) ? Number(segment) : undefined
  if (id === undefined) return refusals.invalid
  if (!world.assets.has(id)) return refusals.notFound
  if (!hasFlags(token, world.assets.get(id), ['API', 'READ'])) return refusals.forbidden
  const fields = select(new URLSearchParams(asked.query).get('fields'), listedFields)
  if (fields === 'unknown') return refusals.invalid
  const open = [...world.alerts.values()].filter(
    ({ assetId, values }) => assetId === id && values.closedTimestamp === null,
  )
  return {
    status: 200,
    body: open.map(({ values }) => pick(values, fields ?? (['ks'] as const))).toReversed(),
  }
}

/** Undefined when the parameter is absent. An empty list names the field '', which is unknown. */
function select<Name extends ActionField | AlertField>(
  list: string | null,
  allowed: readonly Name[],
): readonly Name[] | undefined | 'unknown' {
  if (list === null) return undefined
  const names = list.split(',')
  const known = allowed.filter((name) => names.includes(name))
  return names.every((name) => known.some((field) => field === name)) ? known : 'unknown'
}

function pick<Name extends string>(from: Readonly<Record<Name, unknown>>, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, from[name]]))
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

function addToContainer(world: World, asked: Asked, token: NewToken, containerId: number): Reply {
  const members = world.containers.get(containerId)
  if (members === undefined) return refusals.notFound
  if (!hasFlags(token, containerId, ['API', 'CONTAINER_ACCESS'])) return refusals.forbidden
  if (asked.query !== '' || !/^application\/json\s*(;|$)/i.test(asked.contentType ?? ''))
    return refusals.invalid
  const wish = containerUserSchema.safeParse(parseJson(asked.text))
  if (!wish.success) return refusals.invalid
  const { email, authProvider, member, permissions } = wish.data
  const found = world.users.filter(
    (user) => user.email === email && (authProvider === undefined || user.authProvider === authProvider),
  )
  // None: only existing users can be added. Several: authProvider is required.
  const [user] = found
  if (user === undefined || found.length > 1) return refusals.invalid
  if (members.some((one) => one.email === user.email && one.authProvider === user.authProvider)) {
    return refusals.invalid
  }
  members.push({ ...user, member, permissions })
  world.changed()
  return { status: 204, body: undefined }
}

/** Undefined, which fits no schema, when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
