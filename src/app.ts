// The one list of what the bot listens to. Builds the rooms, joins those that must not know each other,
// starts and stops them. It lists; it does not decide.
import { App } from '@slack/bolt'
import { createConnect } from './account/connect.ts'
import type { OnRefusal } from './account/connect-first.ts'
import { createConnectFirst } from './account/connect-first.ts'
import { disconnect, openConnect, registerAccount } from './account/listeners.ts'
import { createTokens } from './account/tokens.ts'
import { createVault } from './account/vault.ts'
import { createAlerts } from './alert/alert.ts'
import { createAlertCommand } from './alert/command.ts'
import { registerAlert } from './alert/listeners.ts'
import { registerMessageShortcut } from './alert/listeners-message.ts'
import { registerUnfurl } from './alert/listeners-unfurl.ts'
import type { Config } from './config.ts'
import { createDoctor } from './doctor/doctor.ts'
import { registerDoctor } from './doctor/listeners.ts'
import { placesOf } from './doctor/places.ts'
import { styleChecks } from './doctor/style.ts'
import type { ConfigError } from './errors.ts'
import { nothingTyped } from './grant/form.ts'
import { createGrants } from './grant/grant.ts'
import { registerGrant } from './grant/listeners.ts'
import { createHome } from './home/home.ts'
import { registerHome } from './home/listeners.ts'
import type { Log } from './log.ts'
import { registerMentions } from './mention/listeners.ts'
import { shareReads } from './monitor/cache.ts'
import { createMonitor, type MonitorOptions } from './monitor/client.ts'
import type { Clock, SlackUser } from './slack/ids.ts'
import { messageLink } from './slack/installation.ts'
import type { Posted } from './slack/outbound.ts'
import { createHttpReceiver } from './slack/receiver.ts'
import { openSlack } from './slack/slack.ts'
import { createSocket } from './slack/socket.ts'
import { inspectStorage } from './storage/inspect.ts'
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
  const { accounts, waiting, cards, grants, batches, watches } = storage
  const { severityNames, presets, authProviders } = config
  const { alertUrl } = config.monitor

  const stopping = new AbortController()
  const { botToken, apiUrl } = config.slack
  const { once, channelStyles } = storage
  const slack = openSlack({ botToken, apiUrl, log, now, wait, onRefused, once, stopping: stopping.signal })
  const { installed, outbound, delivery, guard, clientOptions, work } = slack
  const { logger } = clientOptions

  const monitor = createMonitor({ ...monitorOptions, baseUrl: config.monitor.apiUrl })
  const reads = shareReads(monitor, { now })

  const vault = createVault(config.encryptionKeys)
  const onForgotten = (owner: SlackUser) => watch.forget(owner)
  const tokens = createTokens({ accounts, waiting, vault, reads, onForgotten, log })
  const onRefusal: OnRefusal = (owner, refusal) => home.noteRefusal(owner, refusal)
  const connect = createConnect({ tokens, waiting, now, reads, monitor, onRefusal })
  const connectFirst = createConnectFirst({ tokens, waiting, vault, delivery, onRefusal, now })

  const cardSettings = { severityNames, alertUrl }
  const linkOf = async (posted: Posted) => messageLink(await installed.installation(), posted)
  const alerts = createAlerts({
    reads,
    cards,
    liveCards: watches,
    channelStyles,
    once,
    log,
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
      linkOf,
      cardSettings,
      log,
      now,
      wait,
    },
    { ...config.watch, ...watchOptions },
  )

  const home = createHome({
    tokens,
    watching: watch.watching,
    recent: storage.recent,
    ownRequests: async () => [],
    linkOf,
    outbound,
    settings: cardSettings,
    log,
    now,
  })

  const grantSettings = { presets, authProviders }
  const granted = createGrants({
    grants,
    batches,
    monitor,
    channelStyles,
    connectFirst,
    delivery,
    outbound,
    people: slack.people,
    settings: grantSettings,
    log,
    now,
    wait,
    stopping: stopping.signal,
  })

  const routes = new Map<string, Handler>([['GET /healthz', alive]])
  const door = openDoor()
  const checks = {
    storage: storage.isReachable,
    Slack: () => installed.isKnown() && (door.socket?.isConnected() ?? true),
  }
  routes.set('GET /readyz', readiness(checks))
  const server = createWebServer(routes)
  const housekeeping = keepHouse(storage, now, log)

  const doctor = createDoctor({
    config,
    probe: slack.probe,
    transport: door.state,
    monitor,
    tokens,
    storage: () => inspectStorage(config.databaseUrl),
    extraChecks: (from) => styleChecks(channelStyles, from),
    places: placesOf({ ...config, monitorApiUrl: config.monitor.apiUrl }),
    log,
    now,
  })

  const app = new App({
    receiver: door.receiver,
    authorize: async () => ({ botToken }),
    clientOptions,
    logger,
    convoStore: false,
  })

  const alertCommand = createAlertCommand({
    ...alerts,
    outbound,
    alertUrl,
    connect: (request) => openConnect(outbound, request),
    disconnect: async (request) => {
      await disconnect(tokens, request)
      await home.refresh(request.asker)
    },
    listWatches: async (request) => request.answer(await watch.watching.list(request.asker)),
    examine: async (request) => request.answer(await doctor.examine(request)),
  })
  registerAlert(app, guard, {
    ...alerts,
    outbound,
    alertUrl,
    command: alertCommand,
    stopWatching: (from, cardId) => watch.watching.stop(from, cardId),
    grantFor: (pressed, subject) =>
      granted.openForm({ ...pressed, ...(subject && { place: subject.place }) }, nothingTyped, subject),
  })
  registerMessageShortcut(app, guard, { ...alerts, outbound, alertUrl })
  if (config.unfurls) registerUnfurl(app, guard, { ...slack, ...alerts })
  registerDoctor(app, guard, { doctor, delivery })
  registerWatch(app, guard, { watching: watch.watching, outbound, onListChanged: home.publish })
  registerHome(app, guard, { ...slack, home, tokens })
  registerGrant(app, guard, { ...granted, settings: grantSettings })
  registerMentions(app, guard, { alert: alertCommand, grant: granted.command, once })
  registerAccount(app, guard, {
    tokens,
    connect,
    connectFirst,
    outbound,
    async resume(asker, resumed, viewId) {
      const from = { asker, place: resumed.place }
      if (resumed.feature === 'watch') return watch.resume(from, resumed)
      if (resumed.feature === 'grant') return granted.granting.resume(from, resumed.ask, resumed.isOld)
      return alerts.resume(from, resumed, viewId)
    },
    onConnected: (owner, isFromView) => (isFromView ? home.publish(owner) : home.refresh(owner)),
    async forgetWorkspace(workspaceId) {
      await tokens.forgetWorkspace(workspaceId)
      await storage.forgetWorkspace(workspaceId)
    },
  })

  /** Requests come over HTTP or over a socket; either way Bolt hands them out. */
  function openDoor() {
    const how = config.slack.transport
    if (how.kind === 'socket') {
      const socket = createSocket({ appToken: how.appToken, clientOptions, logger, log, onRefused })
      const state = () => ({ kind: 'socket' as const, isConnected: socket.isConnected() })
      return { receiver: socket.receiver, socket, state }
    }
    const receiver = createHttpReceiver({ signingSecret: how.signingSecret, now, log })
    routes.set('POST /slack/events', receiver.handle)
    const state = () => ({ kind: 'http' as const, lastEventAt: receiver.lastEventAt() })
    return { receiver, socket: undefined, state }
  }

  return {
    async start() {
      const port = await server.listen(config.host, config.port)
      door.socket?.open()
      granted.lateOutcomes.start()
      housekeeping.start()
      watch.poller.start()
      return port
    },
    async stop(graceMs) {
      stopping.abort()
      const background = [granted.lateOutcomes.stop(), housekeeping.stop(), watch.poller.stop()]
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
