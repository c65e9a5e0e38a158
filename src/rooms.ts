// Builds the rooms, and joins those that must not know each other.

import type { AccountRoom } from './account/room.ts'
import { createTokens } from './account/tokens.ts'
import { actUndone, actWaits } from './act/render/verdict.ts'
import { sampleCard } from './alert/render/card.ts'
import { alertUndone, alertWaits, monitorSentence } from './alert/render/no-card.ts'
import type { AlertRoom } from './alert/room.ts'
import { ownRequests, requestsWaitingFor } from './approval/listed.ts'
import { workingAlertUrl } from './config/config.ts'
import { behindCheck } from './doctor/checks/behind.ts'
import { postingCheck, styleChecks } from './doctor/checks/channel.ts'
import { rightsCheck } from './doctor/checks/rights.ts'
import { operationsCheck } from './doctor/checks/service.ts'
import { createDoctor } from './doctor/doctor.ts'
import { placesOf } from './doctor/render-report.ts'
import { ConfigError } from './errors.ts'
import { isFlag } from './grant/flags.ts'
import { grantUndone, grantWaits } from './grant/render/undone.ts'
import { briefRoleWords } from './grant/roles.ts'
import { buildGround, type World } from './ground.ts'
import { noteRefusal } from './home/home.ts'
import type { HomeRoom } from './home/room.ts'
import { createBodyBudget } from './http/read-body.ts'
import { createInstall } from './install/install.ts'
import { createSettings } from './install/settings.ts'
import { keyProblems, matchKeys } from './keys/key-checks.ts'
import { containerInWords, lastUsed } from './names/containers.ts'
import { createNamesMemory } from './names/memory.ts'
import { forgetOwnId, linkShown, ownIdKnown } from './names/own-id.ts'
import type { NamesRoom } from './names/room.ts'
import { buildSending } from './sending-rooms.ts'
import type { SlackUser } from './slack/ids.ts'
import { openInbound } from './slack/inbound/inbound.ts'
import { createPace } from './slack/outbound/pace.ts'
import { keepHouse } from './storage/keep-house.ts'
import { inspectStorage } from './storage/storage.ts'
import { createNoteClosed } from './watch/closings.ts'
import { createPoller, createTiming, graceMs } from './watch/poller.ts'
import type { WatchRoom } from './watch/room.ts'
import { createDirectTurns, createPromises, createUpdates } from './watch/updates.ts'
import { endWatchesOf } from './watch/watching.ts'
import { singleFlights } from './work/single-flight.ts'
import { createTurns } from './work/turns.ts'

const hourMs = 60 * 60_000
/** Of somebody's own look-ups, so many are compared with a key that there is not. */
const mostKeys = 100

export type Rooms = ReturnType<typeof buildRooms>

/** @param stopping - Aborts when the bot stops. */
export function buildRooms(world: World, stopping: AbortSignal) {
  const { config, storage, log, now, wait, onRefused, watchOptions } = world
  const { slowMs = 1_500, bodies = createBodyBudget() } = world
  const { accounts, pastTokens, waiting, cards, alertLinks: knownLinks, watches, approvals } = storage
  const { severityNames, roles } = config
  const { operations } = config.monitor
  const alertUrl = workingAlertUrl(config.monitor)

  const { bot, apiUrl } = config.slack
  const { monotonic = () => performance.now() } = watchOptions ?? {}
  const updates = createUpdates(monotonic)
  const ground = buildGround(world, stopping, {
    monitorSentence,
    undone: { alert: alertUndone, act: actUndone, grant: grantUndone },
    // Whoever draws live cards leaves room for what people press.
    onUpdate: updates.note,
  })
  const { vault, fingerprints, bots, channels, signatures, outage, metrics } = ground
  const { slack, further, monitor, reads, audit } = ground
  const { outbound, delivery, linkOf, workspaceName } = slack
  const { proxy } = config
  const { once, channelStyles } = storage

  const { intervalMs, ttlHours } = config.watch
  const poller = createPoller({ watches, updates, log }, { intervalMs, ...watchOptions })
  const promises = createPromises((workspaceId) => watches.countLive(workspaceId), intervalMs, monotonic)
  const { connectLinks, recent, containerNames, ownIds } = storage
  const seenNames = createNamesMemory()
  async function forgetNames(owner: SlackUser): Promise<void> {
    seenNames.forget(owner)
    await containerNames.forget(owner)
  }
  const tokens = createTokens({
    accounts,
    pastTokens,
    waiting,
    links: connectLinks,
    vault,
    fingerprints,
    reads,
    audit,
    log,
    onFound(owner, token) {
      // From here on, the service is asked: Slack need not wait for that.
      slack.letGo()
      seenNames.used(owner, token)
    },
    onKept: forgetNames,
    async onForgotten(owner) {
      await forgetNames(owner)
      await ownIds.forget(owner)
      await knownLinks.forget(owner)
      await endWatchesOf({ watches, poller }, owner)
      await storage.actSequels.endAllOf(owner)
    },
  })
  const { publicUrl } = config
  const account: AccountRoom = {
    accounts,
    tokens,
    waiting,
    vault,
    reads,
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
    people: slack.people,
    guard: slack.guard,
    answerForm: slack.answerForm,
    work: slack.work,
    onRefusal: (owner, refusal) => noteRefusal({ recent, log }, owner, refusal),
  }

  const { clientOptions } = slack
  const install =
    bot.kind === 'oauth' && publicUrl !== undefined
      ? createInstall({
          installStates: storage.installStates,
          app: bot,
          publicUrl,
          apiUrl,
          clientOptions,
          bots,
          tokens,
          audit,
          log,
        })
      : undefined

  const settings = createSettings({ channels, bots, people: slack.people, outbound, audit })

  const names: NamesRoom = {
    monitor,
    further,
    memory: seenNames,
    containerNames,
    ownIds,
    onCollision: ({ workspaceId, userId }, holder, serviceId) =>
      audit.record({
        workspaceId,
        userId,
        act: 'claim',
        outcome: 'not-done:taken',
        key: `claim:${userId}:${holder.userId}:${serviceId}`,
        askerId: holder.userId,
        reference: `user ${serviceId}`,
      }),
    vault,
    people: slack.people,
    tokenOf: tokens.find,
    otherContainers: recent.containersOf,
    underWay: { people: singleFlights(), learning: singleFlights() },
    now,
  }

  const cardSettings = { severityNames, alertUrl, canAct: operations === 'all' }
  const { people, scopes, gate, sharedChannels, patiently } = slack
  const pace = createPace(monotonic, wait)
  const noteClosed = createNoteClosed({
    watches,
    cards,
    once,
    sharedChannels,
    channelStyles,
    outbound,
    pace,
    settings: cardSettings,
    work: slack.work,
    log,
    now,
  })
  const ownIdOf: AlertRoom['ownIdOf'] = async (person) => (await ownIdKnown(names, person))?.userId
  const alert: AlertRoom = {
    ownIdOf,
    account,
    reads,
    monitor,
    knownLinks,
    names,
    audit,
    cards,
    channelStyles,
    sharedChannels,
    delivery,
    outbound,
    patiently,
    people,
    scopes,
    gate,
    once,
    noteClosed,
    settings: cardSettings,
    log,
    now,
    liveCards: {
      liveOf: watches.liveOf,
      forgetLook: watches.forgetLook,
      goodForMs: async (workspaceId) => (await promises.of(workspaceId)).goodForMs,
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
    reads,
    names,
    work: slack.work,
    monitor,
    channelStyles,
    sharedChannels,
    delivery,
    outbound,
    linkOf,
    noteClosed,
    poller,
    updates,
    promises,
    ttlHours,
    settings: cardSettings,
    log,
    now,
    pace,
    directTurns: createDirectTurns(monotonic),
    timing: createTiming(intervalMs, Math.random),
    turns: createTurns(),
  }

  const { send, act, grant, approval } = buildSending(world, ground, stopping, {
    account,
    tokens,
    names,
    alert,
    poller,
    pace,
  })

  const listing = {
    approvals,
    provenUsers: approval.provenUsers,
    linkOf,
    members: slack.members,
    people,
    settings: { roles },
  }
  const home: HomeRoom = {
    tokens,
    watch,
    recent,
    linkOf,
    outbound,
    people,
    scopes,
    gate,
    settings: cardSettings,
    log,
    now,
    ownLink: async (owner) => (operations === 'basic' ? undefined : linkShown(names, owner)),
    forgetLink: (owner) => forgetOwnId(names, owner),
    ownRequests: (owner) => ownRequests(listing, owner),
    waitingRequests: (reader) => requestsWaitingFor(listing, reader),
    containerWords: (owner, containerId) => containerInWords(names, owner, containerId),
    accessWords: (permissions) => briefRoleWords(permissions.filter(isFlag), roles),
    turns: createTurns(),
    opened: new Set(),
  }

  const { logger } = clientOptions
  const inbound = openInbound(config.slack.transport, {
    clientOptions,
    proxy,
    logger,
    log,
    now,
    wait,
    onRefused,
    bodies,
    signatures,
    observer: metrics.slack,
  })
  const housekeeping = keepHouse(storage, now, log, { approvalTtlMs: config.approval.ttlHours * hourMs })
  const doctor = createDoctor({
    config,
    probe: slack.probe,
    transport: inbound.state,
    monitor,
    outage: outage.state,
    tokens,
    storage: () => inspectStorage(config.databaseUrl),
    unwritable: storage.unwritable,
    keyProblems: (checks) => keyProblems(checks, config.encryptionKeys),
    card: sampleCard(cardSettings),
    extraChecks: (from) => [
      ...styleChecks(channelStyles, from),
      operationsCheck(further.state, now),
      rightsCheck(
        {
          tokens,
          monitor,
          lastContainer: async (owner) => (await lastUsed(names, owner))[0],
          containerWords: (owner, containerId) => containerInWords(names, owner, containerId),
        },
        from.asker,
      ),
      behindCheck(() => watches.behind(graceMs, from.asker.workspaceId)),
      postingCheck(channels, from.asker.workspaceId, {
        presence: slack.probe.in(from.asker.workspaceId).presence,
        isShared: slack.sharedChannels.in(from.asker.workspaceId).isShared,
        auditProblem: () => audit.channelProblem(from.asker.workspaceId),
      }),
    ],
    places: placesOf({ monitorApiUrl: config.monitor.apiUrl, publicUrl, databaseUrl: config.databaseUrl }),
    isAdmin: settings.mayChoose,
    outbound,
    log,
    now,
  })

  /** @throws ConfigError when the database was sealed with other keys. */
  async function checkKeys(): Promise<void> {
    const problems = await matchKeys(storage, config.encryptionKeys)
    if (problems.length > 0) throw new ConfigError(problems)
  }

  return {
    checkKeys,
    slack,
    inbound,
    bodies,
    monitor,
    audit,
    account,
    install,
    names,
    alert,
    watch,
    act,
    send,
    grant,
    approval,
    home,
    doctor,
    settings,
    housekeeping,
    metrics,
  }
}
