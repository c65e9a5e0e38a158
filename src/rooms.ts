// Builds the rooms, and joins those that must not know each other.

import type { AccountRoom } from './account/room.ts'
import { createTokens } from './account/tokens.ts'
import { actUndone, actWaits } from './act/render/verdict.ts'
import { alertUndone, alertWaits, monitorSentence } from './alert/render/no-card.ts'
import type { AlertRoom } from './alert/room.ts'
import { ownRequests, requestsWaitingFor } from './approval/listed.ts'
import type { ApprovalRoom } from './approval/room.ts'
import { workingAlertUrl } from './config/config.ts'
import { createDoctor, type Doctor } from './doctor/doctor.ts'
import { storageCheck } from './doctor/storage.ts'
import { ConfigError } from './errors.ts'
import { isFlag } from './grant/flags.ts'
import { grantUndone, grantWaits } from './grant/render/explain.ts'
import { briefRoleWords } from './grant/roles.ts'
import { buildGround, type HouseGround, type World } from './ground.ts'
import type { HomeRoom } from './home/home.ts'
import { keyProblems, matchKeys } from './keys/key-checks.ts'
import { containerInWords, lastUsed } from './names/containers.ts'
import { createNamesMemory } from './names/memory.ts'
import { linkShown } from './names/own-id.ts'
import type { NamesRoom } from './names/room.ts'
import { buildSending } from './sending-rooms.ts'
import type { SlackUser } from './slack/ids.ts'
import { openInbound } from './slack/inbound/inbound.ts'
import { createPace } from './slack/outbound/pace.ts'
import { keepHouse } from './storage/retention.ts'
import { inspectStorage } from './storage/storage.ts'
import { createCallOthersIfClosed } from './watch/closings.ts'
import { createPoller } from './watch/poller.ts'
import type { WatchRoom } from './watch/room.ts'
import { createUpdates, goodForMs } from './watch/updates.ts'
import { endWatchesOf } from './watch/watching.ts'
import { createTurns, singleFlights } from './work/turns.ts'

/** Of somebody's own look-ups, so many are compared with a key that there is not. */
const mostKeys = 100

export type Rooms = ReturnType<typeof buildRooms>

/** @param stopping - Aborts when the bot stops. */
export function buildRooms(world: World, stopping: AbortSignal) {
  const { config, storage, log, now, wait, onRefused, watchOptions } = world
  const { slowMs = 1_500 } = world
  const { monotonic = () => performance.now() } = watchOptions ?? {}
  const { severityNames, proxy, publicUrl } = config
  const { intervalMs, ttlHours } = config.watch
  const { operations } = config.monitor
  const { accounts, waiting, once, recent, connectLinks } = storage
  const { cards, alertLinks: knownLinks, watches, ownIds } = storage

  const updates = createUpdates(monotonic)
  const ground = buildGround(world, stopping, {
    monitorSentence,
    undone: { alert: alertUndone, act: actUndone, grant: grantUndone },
    // Whoever draws live cards leaves room for what people press.
    onUpdate: updates.note,
  })
  const { vault, signatures, figures } = ground
  const { slack, monitor, audit } = ground
  const { outbound, delivery, linkOf, workspaceName } = slack
  const { people, scopes, gate, sharedChannels, patiently } = slack

  const poller = createPoller({ watches, log }, { intervalMs, ...watchOptions })
  const seenNames = createNamesMemory()
  const tokens = createTokens({
    accounts,
    waiting,
    links: connectLinks,
    vault,
    audit,
    log,
    onFound(owner, token) {
      // From here on, the service is asked: Slack need not wait for that.
      slack.ackNow()
      seenNames.used(owner, token)
    },
    onKept: async (owner) => seenNames.forget(owner),
    async onForgotten(owner) {
      seenNames.forget(owner)
      await ownIds.forget(owner)
      await knownLinks.forget(owner)
      await endWatchesOf({ watches, poller }, owner)
      await storage.reopenings.endAllOf(owner)
    },
  })
  const account: AccountRoom = {
    accounts,
    tokens,
    waiting,
    vault,
    monitor,
    audit,
    delivery,
    outbound,
    once,
    stopping,
    log,
    now,
    waitingWords: { alert: alertWaits, act: actWaits, grant: grantWaits },
    page: publicUrl === undefined ? undefined : { publicUrl, links: connectLinks, vault, workspaceName },
    people,
    guard: slack.guard,
    answerForm: slack.answerForm,
    work: slack.work,
  }

  const { clientOptions } = slack
  const names: NamesRoom = {
    monitor,
    basic: config.monitor.operations === 'basic',
    memory: seenNames,
    ownIds,
    people,
    tokenOf: tokens.find,
    otherContainers: recent.containersOf,
    underWay: { people: singleFlights(), learning: singleFlights() },
    now,
  }

  const cardSettings = {
    severityNames,
    alertUrl: workingAlertUrl(config.monitor),
    canAct: operations === 'all',
  }
  const pace = createPace(monotonic, wait)
  const callOthersIfClosed = createCallOthersIfClosed({ watches, once, work: slack.work, log })
  const ownIdOf: AlertRoom['ownIdOf'] = async (person) => (await ownIds.find(person))?.userId
  const alert: AlertRoom = {
    ownIdOf,
    account,
    monitor,
    knownLinks,
    names,
    audit,
    cards,
    sharedChannels,
    delivery,
    outbound,
    patiently,
    people,
    scopes,
    gate,
    once,
    callOthersIfClosed,
    settings: cardSettings,
    log,
    now,
    liveCards: {
      liveOf: watches.liveOf,
      forgetLook: watches.forgetLook,
      watchersOf: watches.watchersOf,
      goodForMs: goodForMs(intervalMs),
    },
    answerForm: slack.answerForm,
    slowMs,
    recentKeys: (owner) => recent.keysOf(owner, mostKeys),
    turns: createTurns(),
    work: slack.work,
  }
  const watch: WatchRoom = {
    ownIdOf,
    account,
    alert,
    watches,
    cards,
    tokens,
    names,
    work: slack.work,
    monitor,
    sharedChannels,
    delivery,
    outbound,
    linkOf,
    callOthersIfClosed,
    poller,
    updates,
    ttlHours,
    settings: cardSettings,
    log,
    now,
    pace,
    intervalMs,
    turns: createTurns(),
    wait,
  }

  const { send, act, grant, approval } = buildSending(world, ground, stopping, {
    account,
    tokens,
    names,
    alert,
    poller,
    pace,
  })

  const home = buildHome(world, ground, { account, names, watch, approval })
  const inbound = openInbound(config.slack.transport, {
    clientOptions,
    proxy,
    logger: clientOptions.logger,
    log,
    now,
    onRefused,
    signatures,
    socketOptions: world.socketOptions,
  })
  const housekeeping = keepHouse(storage, now, log)
  const doctor = buildDoctor(world, ground, {
    account,
    names,
    isAdmin: ({ workspaceId, userId }) => people.in(workspaceId).isAdmin(userId),
  })

  /** @throws ConfigError when the database was sealed with other keys. */
  async function checkKeys(): Promise<void> {
    const problems = await matchKeys(storage.keyChecks, config.encryptionKeys)
    if (problems.length > 0) throw new ConfigError(problems)
  }

  return {
    checkKeys,
    slack,
    inbound,
    monitor,
    audit,
    account,
    names,
    alert,
    watch,
    act,
    send,
    grant,
    approval,
    home,
    doctor,
    housekeeping,
    figures,
  }
}

/** Home shows one person what is theirs: their link, their watches, what they asked for and what waits for them. */
function buildHome(
  world: World,
  ground: HouseGround,
  below: {
    readonly account: AccountRoom
    readonly names: NamesRoom
    readonly watch: WatchRoom
    readonly approval: ApprovalRoom
  },
): HomeRoom {
  const { config, storage } = world
  const { outbound, linkOf, members, people, scopes, gate } = ground.slack
  const { account, names, watch, approval } = below
  const listing = {
    approvals: approval.approvals,
    channels: ground.channels,
    linkOf,
    members,
    settings: { roles: config.roles },
  }
  return {
    tokens: account.tokens,
    watch,
    recent: storage.recent,
    linkOf,
    outbound,
    people,
    scopes,
    gate,
    settings: watch.settings,
    log: world.log,
    now: world.now,
    ownLink: async (owner) => (config.monitor.operations === 'basic' ? undefined : linkShown(names, owner)),
    forgetLink: storage.ownIds.forget,
    ownRequests: (owner) => ownRequests(listing, owner),
    waitingRequests: (reader) => requestsWaitingFor(listing, reader),
    containerWords: async (owner, containerId) => containerInWords(names, owner, containerId),
    accessWords: (permissions) => briefRoleWords(permissions.filter(isFlag), config.roles),
    turns: createTurns(),
  }
}

function buildDoctor(
  world: World,
  ground: HouseGround,
  below: {
    readonly account: AccountRoom
    readonly names: NamesRoom
    readonly isAdmin: (asker: SlackUser) => Promise<boolean>
  },
): Doctor {
  const { config, storage, log, now } = world
  const { slack, monitor } = ground
  const { account, names, isAdmin } = below
  return createDoctor({
    config,
    probe: slack.probe,
    monitor,
    account: {
      tokens: account.tokens,
      monitor,
      lastContainer: async (owner) => (await lastUsed(names, owner))[0],
      containerWords: async (owner, containerId) => containerInWords(names, owner, containerId),
    },
    storage: storageCheck({
      examine: () => inspectStorage(config.databaseUrl),
      isRunning: true,
      keyProblems: (checks) => keyProblems(checks, config.encryptionKeys),
      unwritable: storage.unwritable,
    }),
    isAdmin,
    log,
    now,
  })
}
