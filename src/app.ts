// Lists everything that the bot listens to, each with the function that answers it; starts and stops the bot.
import { type Afterwards, resuming } from './account/connect-first.ts'
import * as accounts from './account/listeners.ts'
import {
  connectAction,
  connectLinkAction,
  connectView,
  disconnectAction,
} from './account/render.ts'
import { act } from './act/act.ts'
import { openAddAsComment } from './act/add-as-comment.ts'
import { suggestAssignees } from './act/assignee.ts'
import * as acts from './act/forms.ts'
import { actKind } from './act/record.ts'
import { actView, addAsCommentShortcut, suggestPersonAction } from './act/render/forms.ts'
import { anywayAction, commentInsteadAction, editActAction } from './act/render/verdict.ts'
import * as rights from './act/rights.ts'
import { lookUp, lookUpInMessage, openLookUpForm, submitLookUp } from './alert/look-up.ts'
import { listOpen, shareOpen, showMoreOpen } from './alert/open.ts'
import * as card from './alert/render/card.ts'
import {
  askAgainAction,
  lookupView,
  messageShortcut,
  openFormAction,
} from './alert/render/look-up.ts'
import { openActions, showListedAction, showOwnAction } from './alert/render/open-list.ts'
import { refreshCard, shareCard } from './alert/show.ts'
import { previewLinks, unfurl } from './alert/unfurl.ts'
import { askByForm, openAskForm } from './approval/ask.ts'
import {
  approve,
  declineByForm,
  lookAgainAtApproval,
  openDeclineForm,
  withdraw,
} from './approval/decide.ts'
import { approvalKind } from './approval/follow-ups.ts'
import {
  askView,
  declineView,
  lookAction as lookAtAttemptAction,
  actions as requestActions,
} from './approval/render.ts'
import { buildHouse, type World } from './build.ts'
import { alertCommand, askInstead, showListed, showOwn } from './commands/alert.ts'
import { chooseMeaning, grantCommand } from './commands/grant.ts'
import { mentionRoute } from './commands/mention.ts'
import { chooseInMenu } from './commands/menu.ts'
import { sayGone, showMoreDue } from './ends/buttons.ts'
import { withEnds } from './ends/from-grants.ts'
import { endKind, takeEnds } from './ends/taking-back.ts'
import { offerHandBack, overdue } from './ends/telling.ts'
import { ConfigError } from './errors.ts'
import { channelShared } from './follow/end.ts'
import {
  follow,
  followOrTakeOver,
  giveBell,
  offerToFollow,
  ringing,
  showMoreFollows,
} from './follow/following.ts'
import { countFollows, takeFollows } from './follow/look.ts'
import { followActions } from './follow/render.ts'
import { shareNightAction } from './follow/render-night.ts'
import { shareSince, showSince } from './follow/since.ts'
import * as again from './grant/again.ts'
import { openForm, openOfferedForm, redrawForm, submitForm } from './grant/form.ts'
import { askToChange, cancelGrant, sendConfirmed, sendKept } from './grant/granting.ts'
import { shareGrant } from './grant/receipts.ts'
import { grantView, roleAction } from './grant/render/form.ts'
import { chooseActions, openGrantFormAction } from './grant/render/help.ts'
import { endActions } from './grant/render/lasting.ts'
import { grantActions } from './grant/render/receipt.ts'
import { whoActions } from './grant/render/who.ts'
import { editListed, listWho, showMoreWho, uninvite } from './grant/who.ts'
import { grantKind } from './grant/write.ts'
import * as home from './home/home.ts'
import { homeActions } from './home/render.ts'
import type { House } from './house.ts'
import { matchKeys } from './keys/key-checks.ts'
import { watched } from './live/live-cards.ts'
import { takeLiveCards } from './live/look.ts'
import { moreWatchesAction, stopListedAction, watchDirectlyAction } from './live/render.ts'
import {
  countLate,
  showMoreWatches,
  stopWatching,
  watchCard,
  watchCardDirectly,
} from './live/watching.ts'
import { askMaintenance, showMoreModes } from './maintenance/asking.ts'
import { answerMaintenanceForm } from './maintenance/form.ts'
import { countLateModes, takeMaintenances } from './maintenance/looks.ts'
import { maintenanceView, modeActions } from './maintenance/render.ts'
import { cancelMaintenance, pressMode } from './maintenance/sending.ts'
import { modeKind } from './maintenance/set-mode.ts'
import { openFigures } from './metrics/metrics.ts'
import { outageCauses } from './monitor/failures.ts'
import { suggestContainerAction, suggestContainers } from './names/field.ts'
import type { Kinds } from './send/send.ts'
import { lookAfterRequests } from './send/telling.ts'
import { listen } from './slack/guard/guard.ts'
import type { ActionRequest } from './slack/guard/requests.ts'
import { FollowedApp, openInbound } from './slack/inbound/inbound.ts'
import type { Inbound } from './slack/inbound/socket.ts'
import { event, type Listener, type Route, type Routes } from './slack/routes.ts'
import { isUnwritable } from './storage/problem.ts'
import { keepHouse } from './storage/storage.ts'
import {
  alive,
  createWebServer,
  figures,
  type Handler,
  readiness,
  readyWords,
} from './web/server.ts'
import { keepUp } from './work/poller.ts'
import { inTime } from './work/under-way.ts'

/** Routes of buttons and menus about one topic, by their action ids. */
function routesAbout(
  topic: Route<ActionRequest>['about'],
  listeners: Readonly<Record<string, Listener<ActionRequest>>>,
  isReadOnly = false,
): Routes['actions'] {
  const routes = Object.entries(listeners).map(
    ([action, run]) => [action, { about: topic, run, isReadOnly }] as const,
  )
  return Object.fromEntries(routes)
}

const actions: Routes['actions'] = {
  ...routesAbout('alert', {
    [openFormAction]: openLookUpForm,
    [askAgainAction]: askInstead,
    [showListedAction]: showListed,
    [showOwnAction]: showOwn,
    [openActions.share]: shareOpen,
    [openActions.follow]: offerToFollow,
    [card.refreshAction]: refreshCard,
    [card.shareCardAction]: shareCard,
    [card.watchAction]: watchCard,
    [watchDirectlyAction]: watchCardDirectly,
    [card.stopWatchingAction]: stopWatching,
    [stopListedAction]: home.stopInList,
    [followActions.begin]: follow,
    [followActions.stop]: home.stopFollowHere,
    [followActions.bell]: giveBell,
    [followActions.takeOver]: followOrTakeOver,
    [shareNightAction]: shareSince,
    [homeActions.lookUp]: openLookUpForm,
    [homeActions.lookUpAgain]: home.lookUpAgain,
    [homeActions.forgetWho]: home.forgetWho,
    [disconnectAction]: accounts.disconnectAnyway,
    [homeActions.disconnect]: home.disconnectHere,
    [connectAction]: accounts.askForToken,
    // Nothing to do: the browser opens the page, and Slack only reports the press.
    [connectLinkAction]: async () => undefined,
    [modeActions.choose]: askInstead,
  }),
  ...routesAbout(
    'alert',
    {
      [openActions.more]: showMoreOpen,
      ...Object.fromEntries(openActions.others.map((action) => [action, showMoreOpen])),
      [moreWatchesAction]: showMoreWatches,
      [followActions.more]: showMoreFollows,
      [modeActions.more]: showMoreModes,
    },
    true,
  ),
  ...routesAbout('grant', {
    [openGrantFormAction]: openOfferedForm,
    ...Object.fromEntries(chooseActions.map((action) => [action, chooseMeaning])),
    [grantActions.confirm]: sendConfirmed,
    [grantActions.cancel]: cancelGrant,
    [grantActions.share]: shareGrant,
    [grantActions.rest]: again.tryRest,
    [grantActions.look]: again.lookAgainAtReceipt,
    [grantActions.edit]: again.editGrant,
    [grantActions.person]: again.editPerson,
    [grantActions.invite]: again.inviteRefused,
    [whoActions.person]: editListed,
    [whoActions.uninvite]: uninvite,
    [homeActions.grant]: openForm,
    [endActions.edit]: home.changeEnd,
    [endActions.done]: home.endEarly,
    [endActions.gone]: sayGone,
    [grantActions.askApproval]: openAskForm,
    [requestActions.approve]: approve,
    [requestActions.approveFor]: approve,
    [requestActions.decline]: openDeclineForm,
    [requestActions.withdraw]: withdraw,
    [lookAtAttemptAction]: lookAgainAtApproval,
    [rights.makeMemberAction]: rights.makeMember,
    [rights.grantAskedAction]: rights.grantAsked,
  }),
  ...routesAbout(
    'grant',
    {
      [roleAction]: redrawForm,
      [whoActions.more]: showMoreWho,
      [endActions.more]: showMoreDue,
    },
    true,
  ),
  ...routesAbout('act', {
    [card.assignMeAction]: acts.assignToMe,
    [card.commentAction]: acts.openCommentForm,
    [card.closeAction]: acts.openCloseForm,
    [editActAction]: acts.editAct,
    [commentInsteadAction]: acts.commentInstead,
    [anywayAction]: acts.actAnyway,
    [rights.askInThreadAction]: rights.askInThread,
    [modeActions.start]: pressMode,
    [modeActions.end]: pressMode,
    [modeActions.cancel]: cancelMaintenance,
  }),
  [card.moreAction]: { about: 'alert', run: chooseInMenu, isReadOnly: card.isLinkChoice },
}

const routes: Routes = {
  commands: { '/alert': alertCommand, '/grant': grantCommand },
  actions,
  views: {
    [lookupView]: { about: 'alert', run: submitLookUp },
    [connectView]: { about: 'alert', run: accounts.giveToken },
    [grantView]: { about: 'grant', run: submitForm },
    [askView]: { about: 'grant', run: askByForm },
    [declineView]: { about: 'grant', run: declineByForm },
    [actView]: { about: 'act', run: acts.answerActForm },
    [maintenanceView]: { about: 'act', run: answerMaintenanceForm },
  },
  shortcuts: {
    [lookupView]: { about: 'alert', run: openLookUpForm, isReadOnly: true },
    [grantView]: { about: 'grant', run: openForm, isReadOnly: true },
    [messageShortcut]: { about: 'alert', run: lookUpInMessage },
    [addAsCommentShortcut]: { about: 'act', run: openAddAsComment },
  },
  suggestions: {
    [suggestContainerAction]: suggestContainers,
    [suggestPersonAction]: suggestAssignees,
  },
  events: [
    event('link_shared', previewLinks),
    event('app_home_opened', home.opened),
    event('channel_shared', channelShared),
    event('user_change', accounts.userChanged, { deletes: true }),
    event('tokens_revoked', accounts.tokensRevoked, { deletes: true }),
    event('app_uninstalled', accounts.forgetWorkspace, { deletes: true }),
  ],
  meaningOf: mentionRoute,
}

const afterwards: Afterwards = {
  resumes: {
    'look-up': resuming(lookUp),
    open: resuming(listOpen),
    share: resuming(shareCard),
    refresh: resuming(refreshCard),
    unfurl: resuming(unfurl),
    watch: resuming(watchCard),
    follow: resuming(offerToFollow),
    act: resuming(act),
    maintenance: resuming(askMaintenance),
    since: resuming(showSince),
    grant: resuming(sendKept),
    'grant-change': resuming(askToChange),
    'grant-who': resuming(listWho),
  },
  publishHome: home.publishHome,
  offerHandBack,
}

const kinds: Kinds = {
  assign: actKind,
  comment: actKind,
  close: actKind,
  'set-mode': modeKind,
  'add-user': withEnds(grantKind),
  change: withEnds(grantKind),
  remove: withEnds(grantKind),
  invite: grantKind,
  uninvite: grantKind,
  extend: grantKind,
  'take-back': endKind,
  approval: withEnds(approvalKind),
}

export type Bellhop = ReturnType<typeof createBellhop>

export function createBellhop(world: World) {
  const { config, storage, log, now, lateMs } = world
  const stopping = new AbortController()
  const house = buildHouse(world, { afterwards, kinds }, stopping.signal)
  const { slack, audit, monitor } = house
  const { connection } = slack
  const inbound = openInbound(config.slack.transport, { ...world, proxy: config.proxy, connection })
  listen(new FollowedApp(inbound.receiver, log), house, routes)

  const shown = openFigures({
    bellhop_bot_tokens_refused: () => (slack.refusal() === undefined ? 0 : 1),
    bellhop_storage_unwritable: async () => isUnwritable(await storage.problem()),
    bellhop_service_unreachable: () =>
      Object.fromEntries(
        outageCauses.map((cause) => [cause, house.outage.state()?.cause === cause]),
      ),
    bellhop_audit_waiting: audit.waiting,
    bellhop_log_lines_dropped_total: log.dropped,
    bellhop_live_cards: async () => (await storage.liveCards.count(watched)).count,
    bellhop_live_cards_overdue: () => countLate(house),
    bellhop_ends_overdue: async () => (await overdue(house)).count,
    bellhop_maintenance_overdue: () => countLateModes(house),
    bellhop_follows: async () => (await countFollows(house)).byState,
    bellhop_follow_age_seconds: async () => (await countFollows(house)).ageSeconds,
  })
  const pages = new Map<string, Handler>([
    ['GET /healthz', alive],
    ['GET /readyz', readiness(readyChecks(house, inbound))],
    ['GET /metrics', figures(shown)],
  ])
  if (inbound.handle !== undefined) pages.set('POST /slack/events', inbound.handle)
  const server = createWebServer(pages)
  const loops = [
    lookAfterRequests(house, lateMs),
    keepHouse(storage, now, log),
    accounts.forgetLeavers(house),
    keepUp(house, [takeLiveCards, takeFollows, takeEnds, takeMaintenances]),
  ]

  return {
    /** Begins to listen; resolves to the port. @throws ConfigError when ENCRYPTION_KEYS aren’t those of this database. */
    async start(): Promise<number> {
      const problems = await matchKeys(storage.keyChecks, config.encryptionKeys)
      if (problems.length > 0) throw new ConfigError(problems)
      if (config.publicUrl !== undefined) {
        const { pageRoutes } = await import('./web/connect-page.ts')
        for (const page of pageRoutes(house)) pages.set(...page)
        pages.set('POST /ring/*', ringing(house))
      }
      const port = await server.listen(config.host, config.port)
      inbound.open()
      audit.start()
      for (const loop of loops) loop.start()
      return port
    },
    /** Resolves once Slack has said who the bot is; rejects when Slack refuses the token, or the bot stops first. */
    answered: slack.learned,
    /** Takes no new requests. Resolves when work under way is done and all is closed, or after `graceMs`. */
    async stop(graceMs: number) {
      stopping.abort()
      const closed = [inbound.close(), server.close(), ...loops.map((loop) => loop.stop())]
      const quiet = Promise.all(closed)
        .then(() => slack.work.done())
        .then(() => audit.stop())
        .then(() => monitor.close())
      await inTime(quiet, graceMs)
      // Work that isn’t done by now is abandoned.
      server.cut()
      await connection.destroy()
    },
  }
}

/** Checks of what the bot needs. Each says why its part is not ready, or undefined while that part is. */
function readyChecks({ slack, storage }: House, inbound: Inbound) {
  return {
    async storage() {
      const problem = await storage.problem()
      return problem && readyWords[problem]
    },
    Slack() {
      if (!slack.isKnown()) return readyWords.silent
      const refusal = slack.refusal()
      if (refusal !== undefined) return `the bot token was refused (${refusal})`
      return inbound.isOpen() ? undefined : readyWords.noSocket
    },
  }
}
