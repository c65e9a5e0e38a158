// The one list of what the bot listens to. Builds the rooms, joins those that must not know each other,
// starts and stops them. It lists; it does not decide.
import { App } from '@slack/bolt'
import { createConnect } from './account/connect.ts'
import { createConnectFirst } from './account/connect-first.ts'
import { createFingerprints } from './account/fingerprint.ts'
import { disconnect, openConnect, registerAccount } from './account/listeners.ts'
import { createTokens } from './account/tokens.ts'
import { createVault } from './account/vault.ts'
import { createAlerts } from './alert/alert.ts'
import { registerAlert } from './alert/listeners.ts'
import { createApproval } from './approval/approval.ts'
import { registerApproval } from './approval/listeners.ts'
import { keptWishesOverGrants, wishesOverGrants } from './approval/over-grants.ts'
import type { Config } from './config.ts'
import type { ConfigError } from './errors.ts'
import { createGrantAccess } from './grant/grant-access.ts'
import { createGranting } from './grant/granting.ts'
import { createLateOutcomes } from './grant/late.ts'
import { registerGrant } from './grant/listeners.ts'
import type { Log } from './log.ts'
import { shareReads } from './monitor/cache.ts'
import { createMonitor, type MonitorOptions } from './monitor/client.ts'
import type { Clock, SlackUser } from './slack/ids.ts'
import { messageLink } from './slack/installation.ts'
import { createHttpReceiver } from './slack/receiver.ts'
import { openSlack } from './slack/slack.ts'
import { createSocket } from './slack/socket.ts'
import { keepHouse } from './storage/keep-house.ts'
import type { Storage } from './storage/storage.ts'
import { registerWatch } from './watch/listeners.ts'
import { createWatch, type WatchSettings } from './watch/watch.ts'
import { alive, readiness } from './web/probes.ts'
import { createWebServer, type Handler } from './web/server.ts'

export interface Bellhop {
  /** Listens and connects; resolves to the port. */
  start(): Promise<number>
  /** Takes nothing new, and resolves when what is under way is done and closed, or `graceMs` are over. */
  stop(graceMs: number): Promise<void>
}

export interface World {
  readonly config: Config
  readonly storage: Storage
  readonly log: Log
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  /** Slack refuses a token of the bot for good. May be told of both. */
  readonly onRefused: (error: ConfigError) => void
  /** For tests: shorter budgets at the service. */
  readonly monitorOptions?: Omit<MonitorOptions, 'baseUrl'>
  /** For tests: a quicker poller. */
  readonly watchOptions?: Pick<WatchSettings, 'tickMs' | 'sleep' | 'monotonic'>
}

export function createBellhop({
  config,
  storage,
  log,
  now,
  wait,
  onRefused,
  monitorOptions,
  watchOptions,
}: World): Bellhop {
  const { accounts, waiting, cards, grants, watches, approvals } = storage
  const { severityNames, presets, authProviders } = config
  const { alertUrl } = config.monitor

  const stopping = new AbortController()
  const { botToken, apiUrl } = config.slack
  const slack = openSlack({ botToken, apiUrl, log, now, wait, onRefused, stopping: stopping.signal })
  const { installed, outbound, delivery, guard, clientOptions, work } = slack
  const { logger } = clientOptions

  const monitor = createMonitor({ ...monitorOptions, baseUrl: config.monitor.apiUrl })
  const reads = shareReads(monitor, { now })

  const vault = createVault(config.encryptionKeys)
  const fingerprints = createFingerprints(config.encryptionKeys)
  const onForgotten = (owner: SlackUser) => watch.forget(owner)
  const tokens = createTokens({ accounts, waiting, vault, fingerprints, reads, onForgotten, log })
  const connect = createConnect({ tokens, waiting, now, reads, monitor })
  const connectFirst = createConnectFirst({ tokens, waiting, vault, delivery, now })

  const cardSettings = { severityNames, alertUrl }
  const alerts = createAlerts({
    reads,
    cards,
    liveCards: watches,
    // Made further down: watching looks alerts up itself.
    watching: {
      watchShown: (from, shown) => watch.watching.watchShown(from, shown),
      watchDirectly: (from, token, ks) => watch.watching.watchDirectly(from, token, ks),
    },
    connectFirst,
    delivery,
    outbound,
    patiently: slack.patiently,
    settings: cardSettings,
    now,
  })
  const watch = createWatch(
    {
      watches,
      cards,
      tokens,
      reads,
      monitor,
      ...alerts,
      connectFirst,
      delivery,
      outbound,
      linkOf: async (posted) => messageLink(await installed.installation(), posted),
      cardSettings,
      log,
      now,
      wait,
    },
    { ...config.watch, ...watchOptions },
  )

  const grantSettings = { presets, authProviders }
  const grantAccess = createGrantAccess({ grants, monitor, wait })
  const granting = createGranting({
    grants,
    grantAccess,
    connectFirst,
    delivery,
    settings: grantSettings,
    approvalFlags: config.approval.flags,
    now,
  })
  const approval = createApproval({
    approvals,
    wishes: wishesOverGrants({ grants, grantAccess, wait }),
    keptWishes: keptWishesOverGrants(grants),
    tokens,
    fingerprints,
    people: slack.people,
    connectFirst,
    delivery,
    outbound,
    record: async ({ act, who, approval: { id } }) =>
      log.info({ act, user: who.userId, request: id }, 'approval'),
    settings: config.approval,
    log,
  })
  const lateOutcomes = createLateOutcomes({ grants, outbound, log })

  const routes = new Map<string, Handler>([['GET /healthz', alive]])
  const door = openDoor()
  const checks = {
    storage: storage.isReachable,
    Slack: () => installed.isKnown() && (door.socket?.isConnected() ?? true),
  }
  routes.set('GET /readyz', readiness(checks))
  const server = createWebServer(routes)
  const housekeeping = keepHouse(storage, now, log)

  const app = new App({
    receiver: door.receiver,
    authorize: async () => ({ botToken }),
    clientOptions,
    logger,
    convoStore: false,
  })

  registerAlert(app, guard, {
    ...alerts,
    outbound,
    alertUrl,
    connect: (request) => openConnect(outbound, request),
    disconnect: (request) => disconnect(tokens, request),
    listWatches: async (request) => request.answer(await watch.watching.list(request)),
  })
  registerWatch(app, guard, { watching: watch.watching, outbound })
  registerGrant(app, guard, { granting, people: slack.people, outbound, settings: grantSettings })
  registerApproval(app, guard, { ...approval, outbound })
  registerAccount(app, guard, {
    tokens,
    connect,
    connectFirst,
    outbound,
    async resume(asker, resumed, viewId) {
      const from = { asker, place: resumed.place }
      if (resumed.feature === 'watch') return watch.resume(from, resumed)
      if (resumed.feature === 'approval') return approval.resume(from, resumed)
      if (resumed.feature === 'grant') return granting.resume(from, resumed.ask, resumed.isOld)
      return alerts.resume(from, resumed, viewId)
    },
    async forgetWorkspace(workspaceId) {
      await tokens.forgetWorkspace(workspaceId)
      await cards.forgetWorkspace(workspaceId)
      await grants.forgetWorkspace(workspaceId)
      await watches.forgetWorkspace(workspaceId)
      await approvals.forgetWorkspace(workspaceId)
    },
  })

  /** Requests come over HTTP or over a socket; either way Bolt hands them out. */
  function openDoor() {
    const how = config.slack.transport
    if (how.kind === 'socket') {
      const socket = createSocket({ appToken: how.appToken, clientOptions, logger, log, onRefused })
      return { receiver: socket.receiver, socket }
    }
    const receiver = createHttpReceiver({ signingSecret: how.signingSecret, now, log })
    routes.set('POST /slack/events', receiver.handle)
    return { receiver, socket: undefined }
  }

  return {
    async start() {
      const port = await server.listen(config.host, config.port)
      door.socket?.open()
      lateOutcomes.start()
      approval.overdue.start()
      housekeeping.start()
      watch.poller.start()
      return port
    },
    async stop(graceMs) {
      stopping.abort()
      const background = [
        lateOutcomes.stop(),
        approval.overdue.stop(),
        housekeeping.stop(),
        watch.poller.stop(),
      ]
      const closed = [door.socket?.close(), server.close(), ...background]
      const quiet = Promise.all(closed)
        .then(() => work.done())
        .then(() => monitor.close())
      await Promise.race([quiet, new Promise((resolve) => setTimeout(resolve, graceMs).unref())])
      // What is not done by now is left as it is.
      server.cut()
      await slack.close()
    },
  }
}
