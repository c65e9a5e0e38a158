// Slack's side of alerts. Parses, asks, answers; decides nothing.
import type { App } from '@slack/bolt'
import { UserError } from '../errors.ts'
import type { Guard } from '../slack/guard.ts'
import type { Outbound } from '../slack/outbound.ts'
import type { Place } from '../slack/place.ts'
import type { CommandRequest } from '../slack/requests.ts'
import type { Histories } from './history.ts'
import { parseAlert, parseKey } from './input.ts'
import type { LookUps } from './look-up.ts'
import { keyInput, lookupModal, lookupView, pageActions, postToInput } from './modal.ts'
import type { Refresh } from './refresh.ts'
import { openAction, refreshAction, shareAction } from './render.ts'
import { renderHelp } from './render-help.ts'
import { showEarlierAction } from './render-history.ts'

export function registerAlert(
  app: App,
  guard: Guard,
  room: {
    readonly lookUps: LookUps
    readonly refresh: Refresh
    readonly histories: Histories
    readonly outbound: Outbound
    readonly alertUrl: string | undefined
    /** `/alert connect` and `/alert disconnect`, which accounts answer. */
    readonly connect: (request: CommandRequest) => Promise<void>
    readonly disconnect: (request: CommandRequest) => Promise<void>
    /** `/alert watches`. */
    readonly listWatches: (request: CommandRequest) => Promise<void>
    /** `/alert doctor`. */
    readonly examine: (request: CommandRequest) => Promise<void>
  },
): void {
  const { lookUps, refresh, histories, outbound, alertUrl } = room

  app.command(
    '/alert',
    guard.command('alert', async (request) => {
      const ask = parseAlert(request.text, alertUrl)
      switch (ask.kind) {
        case 'help':
          return request.answer(renderHelp(alertUrl))
        case 'connect':
          return room.connect(request)
        case 'disconnect':
          return room.disconnect(request)
        case 'watches':
          return room.listWatches(request)
        case 'doctor':
          return room.examine(request)
        case 'form':
          return void (await outbound.openView(request.triggerId, lookupModal(alertUrl !== undefined)))
        case 'problem':
          throw new UserError(ask.problem)
        case 'look-up':
          return lookUps.lookUp(request, ask)
        default:
          return ask satisfies never
      }
    }),
  )

  app.shortcut(
    lookupView,
    guard.shortcut('alert', async ({ triggerId }) => {
      await outbound.openView(triggerId, lookupModal(alertUrl !== undefined))
    }),
  )

  app.view(
    lookupView,
    guard.submission('alert', async (submission) => {
      const { filled, place, asker, responseUrls, ack } = submission
      const ask = parseKey(filled.text(keyInput), alertUrl)
      if (ask.kind !== 'look-up') {
        const problem = ask.kind === 'problem' ? ask.problem : 'That is not an alert key.'
        return ack({ response_action: 'errors', errors: { [keyInput]: problem } })
      }
      await ack()
      const channelId = filled.conversation(postToInput)
      const responseUrl = responseUrls.find((one) => one.channelId === channelId)?.url
      const chosen: Place = {
        ...place,
        channelId,
        responseUrl,
        isDirect: channelId?.startsWith('D') ?? false,
      }
      await guard.at('alert', chosen, () => lookUps.lookUp({ asker, place: chosen }, ask))
    }),
  )

  app.action(
    refreshAction,
    guard.action('alert', (pressed) => refresh(pressed, pressed.value)),
  )
  app.action(
    shareAction,
    guard.action('alert', (pressed) => lookUps.share(pressed, pressed.value)),
  )
  app.action(
    showEarlierAction,
    guard.action('alert', (pressed) => histories.open(pressed, pressed.value, pressed.triggerId)),
  )
  for (const turn of Object.values(pageActions)) {
    app.action(
      turn,
      guard.action('alert', async (pressed) => {
        if (pressed.view) await histories.turn(pressed, pressed.view, pressed.value)
      }),
    )
  }
  // A link button opens by itself; Slack only wants to hear that it was pressed.
  app.action(openAction, async ({ ack }) => ack())
}
