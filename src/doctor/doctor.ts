// Looks at everything that somebody's request depends on, and says what it found, to them alone.

import type { Tokens } from '../account/tokens.ts'
import type { Log } from '../log/log.ts'
import { requestNow } from '../log/request.ts'
import type { Monitor } from '../monitor/client.ts'
import type { Outage } from '../monitor/failures.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import type { Clock, PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { InboundState } from '../slack/inbound/inbound.ts'
import type { Message, View } from '../slack/outbound/message.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { SlackProbe } from '../slack/workspace/probe.ts'
import { singleFlight } from '../work/turns.ts'
import { inTime } from '../work/under-way.ts'
import { accountCheck } from './checks/account.ts'
import { cardCheck } from './checks/cards.ts'
import { cardsLost, channelCheck, directCheck, hereWords } from './checks/channel.ts'
import { type Check, type Finding, runChecks } from './checks/check.ts'
import { serviceCheck } from './checks/service.ts'
import { type Known, settingCheck, unusedIn, versionCheck } from './checks/settings.ts'
import { heldBackCheck, slackTokenCheck, transportCheck } from './checks/slack.ts'
import { storageCheck } from './checks/storage.ts'
import type { ExamineStorage, Health, Unwritable } from './health.ts'
import {
  checksRunningModal,
  detailsModal,
  type Examined,
  feltByAll,
  renderExamined,
  shownTo,
  ticketModal,
} from './render.ts'

export interface Doctor {
  /** What was found for whoever asks, where they ask. */
  examine(from: From): Promise<Message>
  /** The same, of a press that has arrived: it proves that buttons work. */
  examineAgain(pressed: ActionRequest): Promise<Message>
  /** Looks once more, and shows whoever pressed every line, or the text for a ticket. */
  show(what: 'details' | 'ticket', pressed: ActionRequest): Promise<void>
}

/** Admins wait no longer than this to be known as such. */
const mostForAdminMs = 5_000

export function createDoctor(room: {
  readonly config: Known
  readonly probe: PerWorkspace<SlackProbe>
  readonly transport: () => InboundState
  readonly monitor: Pick<Monitor, 'probe' | 'readAlert'>
  readonly outage: Outage['state']
  readonly tokens: Pick<Tokens, 'find'>
  readonly storage: ExamineStorage
  /** Why nothing can be written to it just now. */
  readonly unwritable: () => Promise<Unwritable | undefined>
  /** What is wrong with the keys. */
  readonly keyProblems: (checks: Health['keyChecks']) => readonly string[]
  /** A card as this configuration has it drawn. */
  readonly card: Pick<Message, 'blocks'>
  /** What only `app` can look at: other features' channels, how a channel is set. */
  readonly extraChecks: (from: From) => readonly Check[]
  /** Hosts and files that nobody but the operator needs to see. */
  readonly places: readonly string[]
  /** Whether they may choose settings here. */
  readonly isAdmin: (asker: SlackUser) => Promise<boolean>
  readonly outbound: PerWorkspace<Pick<Outbound, 'openView' | 'updateView'>>
  readonly log: Log
  readonly now: Clock
}): Doctor {
  const {
    config,
    probe,
    transport,
    monitor,
    outage,
    tokens,
    storage,
    unwritable,
    keyProblems,
    card,
    extraChecks,
    places,
    isAdmin,
    outbound,
    log,
    now,
  } = room

  // Many who ask at once share one look: each takes a connection, and a server has few.
  const { run: lookAtStorage } = singleFlight(storage)

  function whereAsked({ asker, place }: From): readonly Check[] {
    const name = 'This channel'
    if (place.isDirect) return [directCheck(name)]
    const { channelId } = place
    if (channelId === undefined) return []
    return [
      channelCheck(
        { name, where: hereWords, channelId, lost: cardsLost },
        probe.in(asker.workspaceId).presence,
      ),
    ]
  }

  /** Where Slack or the database does not say, they read what everybody does: the terminal tells all of it. */
  async function seesAll(asker: SlackUser): Promise<boolean> {
    try {
      return (await inTime(isAdmin(asker), mostForAdminMs)) ?? false
    } catch (error) {
      log.info({ err: error }, 'doctor could not find out whether somebody is an admin')
      return false
    }
  }

  async function look(from: From, button: Examined['button']): Promise<Examined> {
    const checks = [
      slackTokenCheck(probe.in(from.asker.workspaceId).scopes, unusedIn(config), config.slack.bot.kind),
      transportCheck(transport, now),
      heldBackCheck(transport, now),
      cardCheck(probe.in(from.asker.workspaceId), card),
      ...whereAsked(from),
      ...extraChecks(from),
      serviceCheck(monitor, now, outage),
      accountCheck({ tokens, monitor }, from.asker),
      storageCheck(lookAtStorage, true, keyProblems, unwritable),
      settingCheck(config, { isRunning: true }),
      versionCheck(),
    ]
    const [all, reader] = await Promise.all([
      runChecks(checks, { log }),
      seesAll(from.asker).then((sees) => ({ isAdmin: sees, reference: requestNow()?.id ?? 'none' })),
    ])
    if (!reader.isAdmin) noteForOperator(feltByAll(all))
    return { findings: shownTo(all, reader), asOf: Math.floor(now() / 1000), button, places }
  }

  /** They were given the reference of this line. */
  function noteForOperator(felt: readonly Finding[]): void {
    if (felt.length === 0) return
    const found = felt.map((one) => `${one.name}: ${one.found}`)
    log.info({ found }, 'doctor found what only whoever runs Bellhop can fix')
  }

  /** Asked before anything else is done about the press. */
  function arrived({ pressedAt }: ActionRequest): Examined['button'] {
    return { tookMs: pressedAt === undefined ? undefined : now() - pressedAt }
  }

  return {
    examine: async (from) => renderExamined(await look(from, 'untested')),
    examineAgain: async (pressed) => renderExamined(await look(pressed, arrived(pressed))),
    async show(what, pressed) {
      const button = arrived(pressed)
      const { openView, updateView } = outbound.in(pressed.asker.workspaceId)
      // First, as a trigger is good for three seconds.
      const viewId = await openView(pressed.triggerId, checksRunningModal(what))
      await updateView(viewId, views[what](await look(pressed, button)))
    },
  }
}

const views: Readonly<Record<'details' | 'ticket', (examined: Examined) => View>> = {
  details: detailsModal,
  ticket: ticketModal,
}
