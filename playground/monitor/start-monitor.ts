// A stand-in for the monitoring service that follows its contract over real HTTP and fails on demand.
//
// Not imitated: TLS, HTTP/2 and compression; how tokens are issued; size limits (apart from 1 MiB of request);
// most of the further operations; what a valid key is (here 1 to 64 visible characters or spaces), the shapes
// of error bodies, and who wins when several refusals apply (here 401, 404 of a container or an asset, 403, 400,
// 404 of an alert or a person, 409), none of which the contract shows. `actions` is not taken as a name in `fields`. Email
// addresses are compared exactly. Unknown query parameters of a write are refused, those of a read passed over, but where
// assets are read: their filters and collectors are not imitated, and refused as well. Methods that are named nowhere get
// 405. An empty comment is refused. No mode closes an open alert, or keeps it out of lists. Where the documentation has a
// gap, `behaves` fills it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { AlertHandle, AlertValues, NewAlert } from './alerts.ts'
import { type Asset, type NewAsset, putAsset } from './assets.ts'
import type { Monitored, NewMode, TimedMode } from './modes.ts'
import { reply } from './operations.ts'
import {
  addContainer,
  addUser,
  type Container,
  changeAddress,
  type Invitation,
  inviteTo,
  type Membership,
  membersIn,
  type NewContainer,
  type NewInvitation,
  type NewMember,
  type NewUser,
  putOn,
  type ServiceUser,
  take,
} from './people.ts'
import { type RecordedRequest, readRequest, recordOf } from './requests.ts'
import { createTroubles, type Order } from './trouble.ts'
import type { Ways } from './ways.ts'
import { createListening } from './wire/listening.ts'
import { send, sendEndlessly, sendHalf, spoil } from './wire/send.ts'
import {
  addAlert,
  bodyFor,
  createWorld,
  detect,
  emptyWorld,
  flap,
  linkOf,
  moveAsset,
  type NewToken,
  reopenAlert,
  settle,
} from './world.ts'

export type MonitorService = Awaited<ReturnType<typeof startMonitor>>

/** So many requests are recorded, then the oldest reads go: a watched alert is read for as long as it is open. */
const KEPT = 5_000

/** @param options.clock - Milliseconds since 1970. */
export async function startMonitor(options: { readonly clock?: () => number } = {}) {
  const { clock = Date.now } = options
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }
  const world = createWorld(clock, changed)
  const troubles = createTroubles()
  const requests: RecordedRequest[] = []
  const connections = new WeakMap<Socket, { readonly number: number; requests: number }>()
  const stopping = new AbortController()
  let connectionCount = 0

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const connection = connections.get(req.socket)
    if (connection !== undefined) connection.requests += 1
    if (troubles.isStale() && (connection?.requests ?? 0) > 1) return void req.socket.destroy()
    const asked = await readRequest(req)
    const record = recordOf(asked, req.headers, {
      token: asked.token === undefined ? undefined : world.tokens.get(asked.token)?.name,
      connection: connection?.number ?? 0,
      at: clock(),
    })
    requests.push(record)
    const oldest =
      requests.length > KEPT ? requests.findIndex(({ method }) => method === 'GET') : -1
    if (oldest >= 0) requests.splice(oldest, 1)
    const from = performance.now()
    const settle = () => {
      if (record.tookMs !== undefined) return
      record.tookMs = performance.now() - from
      changed()
    }
    res.once('close', settle)
    changed()
    const mishap = troubles.next(asked.method, asked.path)
    const slowMs = troubles.slowMs(asked)
    if (slowMs > 0) await wait(slowMs, undefined, { signal: stopping.signal })
    await troubles.letGo(asked)

    function answer(
      given: { readonly status: number; readonly body?: unknown },
      how: () => void,
    ): void {
      // Who has hung up gets no answer, though what was asked for is done.
      if (!res.destroyed) Object.assign(record, { status: given.status, answer: given.body })
      how()
      settle()
    }

    switch (mishap?.kind) {
      case 'hang':
        if (mishap.takesEffect) reply(world, asked)
        return
      case 'answer':
        return answer(mishap, () => send(res, mishap, mishap.headers))
      case 'huge':
        return answer({ status: mishap.status }, () =>
          send(res, {
            status: mishap.status,
            body: { ks: 'huge', message: 'x'.repeat(mishap.bytes) },
          }),
        )
      case 'endless':
        return answer({ status: mishap.status }, () =>
          sendEndlessly(res, mishap.status, mishap.headers),
        )
      case 'malformed': {
        const spoilt = spoil(reply(world, asked), mishap.flaw)
        return answer(spoilt, () => send(res, spoilt))
      }
      case 'cut': {
        if (mishap.when !== 'before-answer') {
          const done = reply(world, asked)
          if (mishap.when === 'mid-body') return sendHalf(res, done)
        }
        return void req.socket.destroy()
      }
      case undefined: {
        const done = reply(world, asked)
        return answer(done, () => send(res, done))
      }
      default:
        return mishap satisfies never
    }
  }

  function containerOf(id: number): Container {
    const container = world.people.containers.get(id)
    if (container === undefined) throw new TypeError(`there is no container ${id}`)
    return container
  }

  function expectKnown(of: Monitored): void {
    const [kind, id] = of.split('/')
    const known = kind === 'asset' ? world.assets : world.people.containers
    if (!known.has(Number(id))) throw new TypeError(`there is no ${kind} ${id}`)
  }

  const server = createServer((req, res) => {
    // Fails only when the other side is gone, or when it is stopped.
    serve(req, res).catch(() => res.destroy())
  })
  server.on('connection', (socket) => {
    connectionCount += 1
    connections.set(socket, { number: connectionCount, requests: 0 })
  })
  const listening = createListening(server)
  await listening.up()

  return {
    /** Base address, without a slash at its end. */
    url: listening.url(),
    addToken(token: NewToken): void {
      world.tokens.set(token.token, token)
      changed()
    },
    /** @returns What it was good for, to be added again; undefined when it is not known. */
    revoke(token: string): NewToken | undefined {
      const held = world.tokens.get(token)
      world.tokens.delete(token)
      changed()
      return held
    },
    addAlert: (alert: NewAlert): AlertHandle => addAlert(world, alert),
    /**
     * Adds it as the service's checks do: not where the asset or its container is disabled, and in maintenance as
     * `behaves` has it. @returns Undefined when it is not added.
     */
    detect: (alert: NewAlert): AlertHandle | undefined => detect(world, alert),
    /** Takes away all alerts, assets, containers, users and invitations. Tokens, ways, troubles and what was asked stay. */
    empty: (): void => emptyWorld(world),
    /** An alert that is there, whoever added it. */
    alert: (ks: string): AlertHandle | undefined => world.alerts.get(ks)?.handle,
    /**
     * The trouble of a closed alert is there again: it opens, and is assigned to whoever closed it.
     * @param key - Default as `behaves` has it, else the same. @returns The open one. @throws TypeError when none is closed.
     */
    reopen(ks: string, key?: 'same' | 'new'): AlertHandle {
      const { reopens } = world.ways
      return reopenAlert(world, ks, key ?? (reopens === 'never' ? 'same' : reopens.key))
    },
    /**
     * An open alert closes by itself and is there again as another one, on the same asset and of the same condition, so
     * many times. It goes on whenever somebody reads.
     */
    flap: (ks: string, how: { times: number; everyMs: number }): Order => flap(world, ks, how),
    /** All alerts as they stand, in the order of being added. */
    alerts(): readonly AlertValues[] {
      settle(world)
      return [...world.alerts.values()].map(({ values }) => values)
    },
    /** The web link of an alert, as the service's own page has it. @throws TypeError when it has none. */
    linkOf: (ks: string): string => linkOf(world, ks),
    /** A webhook’s body as it is sent for this alert. @throws TypeError when it is on no asset. */
    bodyFor: (ks: string, body: string): string => bodyFor(world, ks, body),
    /** The name of the asset that an alert is on, if it is on one. */
    machineOf(ks: string): string | undefined {
      const id = world.alerts.get(ks)?.assetId
      return id === undefined ? undefined : world.assets.get(id)?.name
    },
    /** From now on it behaves so where its documentation says nothing; what is not named stays as it is. */
    behaves(ways: Partial<Ways>): void {
      world.ways = { ...world.ways, ...ways }
      changed()
    },
    /** Replaces a container with the same id. */
    addContainer(id: number, { mode = 'normal', ...how }: NewContainer = {}): void {
      addContainer(world.people, id, how)
      world.modes.set(`container/${id}`, { mode })
      changed()
    },
    /** Changes what is given of an asset that is known. @throws TypeError when its container is full. */
    addAsset(id: number, { mode, ...how }: NewAsset = {}): Asset {
      const asset = putAsset(world.assets, id, how)
      if (mode !== undefined) world.modes.set(`asset/${id}`, { mode })
      changed()
      return asset
    },
    /**
     * Somebody else sets it at the service, with an end or for ever, whatever `behaves` says of modes.
     * @param of - asset/34, or container/12. @throws TypeError when there is no such asset or container.
     */
    setMode(of: Monitored, how: NewMode): void {
      expectKnown(of)
      world.modes.set(of, how)
      changed()
    },
    /** In force now, whatever reads show. @throws TypeError when there is no such asset or container. */
    modeOf(of: Monitored): TimedMode {
      expectKnown(of)
      return world.modes.inForce(of)
    },
    /** When modes that have an end run out, or have, in milliseconds since 1970. */
    modeEnds: (): readonly number[] => world.modes.ends(),
    /** To another container, with its open alerts. @throws TypeError when there is no such asset, or no room for it. */
    moveAsset: (id: number, containerId: number): void => moveAsset(world, id, containerId),
    /** Changes what is given of a user who is known. @param user - Signs in with Password unless said otherwise. */
    addUser(user: NewUser): ServiceUser {
      const added = addUser(world.people, user)
      changed()
      return added
    },
    /** Their number and their seats stay. @throws TypeError when nobody has this id. */
    changeAddress(userId: number, email: string): void {
      changeAddress(world.people, userId, email)
      changed()
    },
    /** Puts somebody on a container, or changes what is given of their seat. @throws TypeError when there is none. */
    addMember(containerId: number, who: NewMember): void {
      putOn(world.people, containerOf(containerId), who)
      changed()
    },
    /** Takes somebody off a container: from then on their tokens have no flag there, until they are on it again. */
    removeMember(containerId: number, userId: number): void {
      const container = world.people.containers.get(containerId)
      if (container !== undefined) take(container, userId, undefined)
      changed()
    },
    /** Who is on a container, in the order of being added; empty when there is no such container. */
    membersOf: (containerId: number): readonly Membership[] =>
      membersIn(world.people, world.people.containers.get(containerId)?.seats ?? new Map()),
    /**
     * Invites to a container, in place of an earlier invitation of that address. No member and no flags unless told.
     * @throws TypeError when there is no such container.
     */
    addInvitation(containerId: number, invitation: NewInvitation): void {
      inviteTo(containerOf(containerId), invitation)
      changed()
    },
    /** Pending ones, in the order of being added; empty when there is no such container. */
    invitationsOf: (containerId: number): readonly Invitation[] => [
      ...(world.people.containers.get(containerId)?.invitations.values() ?? []),
    ],
    /** The newest few thousand, oldest first. A request that came on a stale connection is not among them. */
    requests,
    /** Calls back after every request, answer and change. @returns Stops it. */
    onChange(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    trouble: {
      ...troubles.trouble,
      /** Takes no connections any more and ends those it has. */
      down: listening.down,
      /** Listens again, at the same address. */
      up: listening.up,
    },
    async stop(): Promise<void> {
      stopping.abort()
      troubles.trouble.clear()
      await listening.down()
    },
  }
}
