// The one list of what the bot listens to; starts it and stops it. It lists; it does not decide.

import type { Afterwards, Resume } from './account/connect.ts'
import { forgetLeavers } from './account/leavers.ts'
import { disconnect, openConnect, registerAccount } from './account/listeners.ts'
import { renderWaitedTooLong } from './account/render.ts'
import { actByLine, assignByLine, resumeAct } from './act/by-key.ts'
import { lookForReopenings } from './act/follow.ts'
import { chooseAct, registerAct } from './act/listeners.ts'
import { alertCommand } from './alert/command.ts'
import { commandWords, type Lookup, mannerWords, wordsNear } from './alert/input.ts'
import { registerAlert, registerMessageShortcut, registerUnfurl } from './alert/listeners.ts'
import { lookUp, openLookUpForm, orAskAgain, resumeLookUp } from './alert/look-up.ts'
import { resumeRefresh } from './alert/refresh.ts'
import { resumeShare } from './alert/show.ts'
import { resumeHistory } from './alert/show-earlier.ts'
import { resumeUnfurl } from './alert/unfurl.ts'
import { lookAfterRequests } from './approval/decide.ts'
import { registerApproval } from './approval/listeners.ts'
import { readyWords } from './doctor/health.ts'
import { grantCommand } from './grant/command.ts'
import { nothingTyped, openForm, suggestTo } from './grant/form/form.ts'
import { resumeGrant } from './grant/granting.ts'
import { registerGrant } from './grant/listeners.ts'
import type { World } from './ground.ts'
import { publishHome } from './home/home.ts'
import { registerHome } from './home/listeners.ts'
import { registerMentions } from './mention/listeners.ts'
import { buildRooms, type Rooms } from './rooms.ts'
import { tellLate } from './send/telling.ts'
import { Listeners } from './slack/guard/listeners.ts'
import type { From } from './slack/guard/requests.ts'
import { FollowedApp } from './slack/inbound/followed-app.ts'
import { registerWatch } from './watch/listeners.ts'
import { keepLive } from './watch/look.ts'
import { listWatches, lookUpWatched, resumeWatch, stopWatching } from './watch/watching.ts'
import { alive, createWebServer, figures, type Handler, readiness } from './web/server.ts'
import { inTime } from './work/under-way.ts'

export interface Bellhop {
  /** Listens and connects; resolves to the port. @throws ConfigError when the settings do not fit what is there. */
  start(): Promise<number>
  /** Resolves once Slack has answered; rejects when it refuses the token, or the bot stops before. */
  answered(): Promise<void>
  /** Takes nothing new, and resolves when what is under way is done and closed, or `graceMs` are over. */
  stop(graceMs: number): Promise<void>
}

export function createBellhop(world: World): Bellhop {
  const { config } = world
  const stopping = new AbortController()
  const rooms = buildRooms(world, stopping.signal)
  const { slack, inbound, audit, monitor, approval, housekeeping } = rooms
  const after = afterConnecting(rooms)
  listen(rooms, world, after)

  const routes = new Map<string, Handler>([
    ['GET /healthz', alive],
    ['GET /readyz', readiness(readyChecks(rooms, world))],
    ['GET /metrics', figures(rooms.figures, world.figuresMs)],
  ])
  if (inbound.handle !== undefined) routes.set('POST /slack/events', inbound.handle)
  const server = createWebServer(routes)
  const loops = [
    tellLate(rooms.send, world.lateMs),
    lookForReopenings(rooms.act, world.lateMs),
    lookAfterRequests(approval, world.lateMs),
    housekeeping,
    forgetLeavers(rooms.account),
    keepLive(rooms.watch),
  ]

  return {
    async start() {
      await rooms.checkKeys()
      if (config.publicUrl !== undefined) {
        const { pageRoutes } = await import('./web/pages.ts')
        const { account } = rooms
        const room = { config, account, log: world.log }
        for (const page of pageRoutes(room, config.publicUrl, after)) routes.set(...page)
      }
      const port = await server.listen(config.host, config.port)
      inbound.open()
      audit.start()
      for (const loop of loops) loop.start()
      return port
    },
    async answered() {
      await slack.learned()
    },
    async stop(graceMs) {
      stopping.abort()
      const closed = [inbound.close(), server.close(), ...loops.map((loop) => loop.stop())]
      const quiet = Promise.all(closed)
        .then(() => slack.work.done())
        .then(() => audit.stop())
        .then(() => monitor.close())
      await inTime(quiet, graceMs)
      // What is not done by now is left as it is.
      server.cut()
      await slack.close()
    },
  }
}

/** What a balancer has to know before it sends anything: each says why the bot is not ready, or nothing. */
function readyChecks({ slack, inbound }: Rooms, { storage }: World) {
  return {
    async storage() {
      if (!(await storage.isReachable())) return readyWords.away
      if (!(await storage.isInPlace())) return readyWords.moved
      const why = await storage.unwritable()
      return why && readyWords[why]
    },
    Slack() {
      if (!slack.isKnown()) return readyWords.silent
      const refusal = slack.tokenRefusal.word()
      if (refusal !== undefined) return `the bot token was refused (${refusal})`
      return inbound.isOpen() ? undefined : readyWords.noSocket
    },
  }
}

function afterConnecting(rooms: Rooms): Afterwards {
  const { account, act, alert, watch, grant, home } = rooms
  return {
    // A grant that has waited for long is confirmed again. A preview and a live card are as good later.
    resumes: {
      'look-up': unlessOld(account, (from, resumed) =>
        resumeLookUp(alert, from, resumed, (lookup) => showAlert({ alert, watch }, from, lookup)),
      ),
      share: unlessOld(account, (from, resumed) => resumeShare(alert, from, resumed)),
      refresh: unlessOld(account, (from, resumed) => resumeRefresh(alert, from, resumed)),
      history: unlessOld(account, (from, resumed, viewId) => resumeHistory(alert, from, resumed, viewId)),
      unfurl: (from, resumed) => resumeUnfurl(alert, from, resumed),
      watch: (from, resumed) => resumeWatch(watch, from, resumed),
      act: unlessOld(account, (from, resumed) => resumeAct(act, from, resumed)),
      grant: (from, { ask, isOld }) => resumeGrant(grant, from, ask, isOld),
    },
    onConnected: async (owner, isFromView) => {
      if (isFromView) await publishHome(home, owner)
    },
  }
}

/** Says that it has waited for too long, instead of doing what nobody expects any more. */
function unlessOld({ delivery }: Rooms['account'], resume: Resume): Resume {
  return (from, resumed, viewId) =>
    resumed.isOld ? delivery.privately(from.place, renderWaitedTooLong()) : resume(from, resumed, viewId)
}

function showAlert(
  { alert, watch }: Pick<Rooms, 'alert' | 'watch'>,
  from: From,
  lookup: Lookup,
): Promise<void> {
  if (!lookup.isWatched) return lookUp(alert, from, lookup)
  return orAskAgain(alert, from, lookup, () => lookUpWatched(watch, from, lookup))
}

function listen(rooms: Rooms, world: World, after: Afterwards): void {
  const { config, storage } = world
  const { slack, inbound, account, alert, watch, grant, approval, home, doctor } = rooms
  const { guard, clientOptions } = slack
  const { once } = storage
  const { canAct } = alert.settings
  const { log } = world
  const app = new FollowedApp(
    { receiver: inbound.receiver, clientOptions, logger: clientOptions.logger },
    log,
  )
  const listeners = new Listeners(app)
  const command = grantCommand(grant)
  const ofAlerts = alertCommand(alert, {
    connect: (request) => openConnect(account, request),
    disconnect: (request) => disconnect(account, request),
    show: (request, lookup) => showAlert(rooms, request, lookup),
    act: canAct
      ? (request, ask) =>
          guard.tellingFailures('act', request.place, () => actByLine(rooms.act, request, ask))
      : undefined,
    assign: canAct
      ? (request, ask) =>
          guard.tellingFailures('act', request.place, () => assignByLine(rooms.act, request, ask))
      : undefined,
    listWatches: async (request) => request.answer(await listWatches(watch, request.asker)),
    examine: async (request) => request.answer(await doctor.examine(request)),
  })
  registerAlert(listeners, guard, alert, {
    command: ofAlerts,
    show: (from, lookup) => showAlert(rooms, from, lookup),
    stopWatching: (from, cardId) => stopWatching(watch, from, cardId),
    grantFor: (pressed, subject) =>
      openForm(grant, { ...pressed, place: subject.place }, nothingTyped, subject),
    act: (pressed, choice) => chooseAct(rooms.act, pressed, choice),
  })
  registerAct(listeners, guard, rooms.act, {
    suggestContainers: (typing) => suggestTo(grant, typing),
    grantMember: (pressed, { containerId, email }) =>
      openForm(grant, pressed, {
        ...nothingTyped,
        container: containerId === undefined ? '' : String(containerId),
        grantees: email === undefined ? [] : [{ kind: 'email', email }],
        member: true,
      }),
  })
  registerMessageShortcut(listeners, guard, alert)
  if (config.unfurls) registerUnfurl(listeners, guard, alert)
  registerWatch(listeners, guard, watch, (owner) => publishHome(home, owner))
  registerHome(listeners, guard, home, {
    lookUp: (pressed, ks) => openLookUpForm(alert, pressed, ks),
    grant: (pressed) => openForm(grant, pressed, nothingTyped),
  })
  registerGrant(listeners, guard, grant, command)
  registerApproval(listeners, guard, approval)
  registerMentions(listeners, guard, {
    alert: ofAlerts,
    grant: command,
    alertWords: {
      commands: commandWords,
      manners: mannerWords,
      isNearly: (word) => wordsNear(word, canAct).length > 0,
    },
    canAct,
    once,
  })
  registerAccount(listeners, guard, account, {
    after,
    async forgetWorkspace(workspaceId) {
      await account.tokens.forgetWorkspace(workspaceId)
      await storage.forgetWorkspace(workspaceId)
    },
  })
}
