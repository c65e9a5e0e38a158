// Slack's side of alerts: the command, its form, buttons, and links that people post. Parses, asks, answers; decides
// nothing.

import { z } from 'zod'
import type { Gate } from '../slack/gate/gate.ts'
import type { ChosenConversation } from '../slack/guard/filled.ts'
import type { Guard } from '../slack/guard/guard.ts'
import type { Listeners } from '../slack/guard/listeners.ts'
import { slackId, slackTs } from '../slack/guard/payloads.ts'
import type { ActionRequest, Command, From, Request } from '../slack/guard/requests.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { limits } from '../slack/text/limits.ts'
import type { People } from '../slack/workspace/people.ts'
import type { Scopes } from '../slack/workspace/scopes.ts'
import type { Histories } from './history.ts'
import { type AlertAsk, parseKey } from './input.ts'
import type { LookUps, Subject } from './look-up.ts'
import { keyInput, lookupModal, lookupView, noWayThere, pageActions, postToInput } from './modal.ts'
import type { Refresh } from './refresh.ts'
import { moreAction, readMore, refreshAction } from './render/buttons.ts'
import { openFormAction } from './render/help.ts'
import { showEarlierAction } from './render/history.ts'
import type { Unfurl } from './unfurl.ts'

export function registerAlert(
  listeners: Listeners,
  guard: Guard,
  room: {
    readonly lookUps: LookUps
    readonly refresh: Refresh
    readonly histories: Histories
    readonly outbound: PerWorkspace<Outbound>
    readonly alertUrl: string | undefined
    readonly command: Command<AlertAsk>
    readonly stopWatching: (from: From, cardId: string) => Promise<void>
    /** *Grant access* on a card. */
    readonly grantFor: (pressed: ActionRequest, subject: Subject) => Promise<void>
  },
): void {
  const { lookUps, refresh, histories, outbound, alertUrl } = room

  listeners.command('/alert', guard.command('alert', room.command))

  const openForm = async ({ asker, triggerId }: Request): Promise<void> => {
    await outbound.in(asker.workspaceId).openView(triggerId, lookupModal(alertUrl !== undefined))
  }
  listeners.shortcut(lookupView, guard.shortcut('alert', openForm))
  listeners.action(openFormAction, guard.action('alert', openForm))

  listeners.view(
    lookupView,
    guard.submission('alert', async (submission) => {
      const { filled, place, asker, ack } = submission
      const ask = parseKey(filled.text(keyInput), alertUrl)
      if (ask.kind === 'problem')
        return ack({ response_action: 'errors', errors: { [keyInput]: ask.problem } })
      const conversation = filled.conversation(postToInput)
      if (conversation !== undefined && !isReachable(conversation))
        return ack({ response_action: 'errors', errors: { [postToInput]: noWayThere } })
      await ack()
      const chosen: Place = { ...place, ...conversation }
      await guard.at('alert', chosen, () => lookUps.lookUp({ asker, place: chosen }, ask))
    }),
  )

  listeners.action(
    refreshAction,
    guard.action('alert', (pressed) => refresh(pressed, pressed.value)),
  )
  listeners.action(
    moreAction,
    guard.action(
      'alert',
      async (pressed) => {
        const chosen = readMore(pressed.value)
        if (chosen === undefined) return
        const { offer, cardId } = chosen
        switch (offer) {
          case 'open':
            // A link opens by itself; Slack only wants to hear that it was chosen.
            return
          case 'share':
            return lookUps.share(pressed, cardId)
          case 'stop':
            return room.stopWatching(pressed, cardId)
          case 'grant': {
            const subject = await lookUps.subjectOf(pressed, cardId)
            return subject && room.grantFor(pressed, subject)
          }
          default:
            return offer satisfies never
        }
      },
      { isFree: isFreeOffer, onlyTells: isLink },
    ),
  )
  listeners.action(
    showEarlierAction,
    guard.action('alert', (pressed) => histories.open(pressed, pressed.value, pressed.triggerId)),
  )
  for (const turn of Object.values(pageActions)) {
    listeners.action(
      turn,
      guard.action('alert', async (pressed) => {
        if (pressed.view) await histories.turn(pressed, pressed.view, pressed.value)
      }),
    )
  }
}

function isReachable({ channelId, responseUrl }: ChosenConversation): boolean {
  return channelId !== undefined || responseUrl !== undefined
}

/** A link opens by itself. */
function isLink(value: string): boolean {
  return readMore(value)?.offer === 'open'
}

/** A link opens by itself, and a watch that is stopped costs less from then on. */
function isFreeOffer(value: string): boolean {
  const offer = readMore(value)?.offer
  return offer === 'open' || offer === 'stop'
}

const shared = z.object({
  user: slackId,
  channel: slackId,
  message_ts: slackTs,
  thread_ts: slackTs.nullish(),
  // What is still being written may never be posted.
  source: z.literal('conversations_history').nullish(),
  bot_id: z.null().optional(),
  links: z.array(z.unknown()),
})

const link = z.object({ url: z.string().max(limits.buttonUrl) })
/** More in one message are left as they are. */
const mostLinks = 50

/** Links of alerts that people post get a preview. */
export function registerUnfurl(
  listeners: Listeners,
  guard: Guard,
  {
    unfurl,
    people,
    scopes,
    gate,
  }: {
    readonly unfurl: Unfurl
    readonly people: PerWorkspace<Pick<People, 'writerOf'>>
    readonly scopes: PerWorkspace<Pick<Scopes, 'isOn'>>
    readonly gate: Pick<Gate, 'admits'>
  },
): void {
  listeners.event(
    'link_shared',
    guard.event(async ({ workspaceId, event, isAgain }) => {
      const read = shared.safeParse(event)
      // Webhooks and bots have no account.
      if (!read.success || !(await scopes.in(workspaceId).isOn('unfurls'))) return
      const { user: userId, channel: channelId, message_ts: ts, thread_ts, links } = read.data
      // Nobody waits for a preview.
      if (!isAgain && !(await gate.admits({ workspaceId, userId }))) return
      const { name, isBot, isStranger } = await people.in(workspaceId).writerOf(userId)
      if (isBot || isStranger) return
      const isDirect = channelId.startsWith('D')
      const place = {
        workspaceId,
        userId,
        channelId,
        responseUrl: undefined,
        isDirect,
        threadTs: thread_ts ?? undefined,
      }
      const urls = links.slice(0, mostLinks).flatMap((one) => link.safeParse(one).data?.url ?? [])
      await unfurl({ asker: { workspaceId, userId, name }, place }, { channelId, ts, urls })
    }),
  )
}
