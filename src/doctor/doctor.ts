// Looks at everything that somebody's request depends on, and says what it found, to them alone.
import type { Tokens } from '../account/tokens.ts'
import type { Log } from '../log/log.ts'
import type { Monitor } from '../monitor/client.ts'
import type { Outage } from '../monitor/outage.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import type { Clock } from '../slack/ids.ts'
import type { InboundState } from '../slack/inbound/inbound.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { SlackProbe } from '../slack/workspace/probe.ts'
import { singleFlight } from '../work/single-flight.ts'
import { accountCheck } from './checks/account.ts'
import { cardCheck } from './checks/card.ts'
import { cardsLost, channelCheck, directCheck } from './checks/channel.ts'
import { type Check, runChecks } from './checks/check.ts'
import { serviceCheck } from './checks/service.ts'
import { type Known, settingCheck, unusedIn } from './checks/settings.ts'
import { slackTokenCheck } from './checks/slack.ts'
import { storageCheck } from './checks/storage.ts'
import { transportCheck } from './checks/transport.ts'
import { versionCheck } from './checks/versions.ts'
import type { ExamineStorage, Unwritable } from './health.ts'
import { type Examined, renderExamined } from './render.ts'

export interface Doctor {
  /** What was found for whoever asks, where they ask. */
  examine(from: From): Promise<Message>
  /** The same, of a press that has arrived: it proves the way back. */
  examineAgain(pressed: ActionRequest): Promise<Message>
}

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
  readonly keyProblems: Parameters<typeof storageCheck>[2]
  /** A card as this configuration has it drawn. */
  readonly card: Pick<Message, 'blocks'>
  /** What only `app` can look at: other features' channels, how a channel is set. */
  readonly extraChecks: (from: From) => readonly Check[]
  /** Hosts and files that nobody but the operator needs to see. */
  readonly places: readonly string[]
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
        { name, where: 'this channel', channelId, lost: cardsLost },
        probe.in(asker.workspaceId).presence,
      ),
    ]
  }

  async function look(from: From, wayBack: Examined['wayBack']): Promise<Message> {
    const checks = [
      slackTokenCheck(probe.in(from.asker.workspaceId).scopes, unusedIn(config), config.slack.bot.kind),
      transportCheck(transport, now),
      cardCheck(probe.in(from.asker.workspaceId), card),
      ...whereAsked(from),
      ...extraChecks(from),
      serviceCheck(monitor, now, outage),
      accountCheck({ tokens, monitor }, from.asker),
      storageCheck(lookAtStorage, true, keyProblems, unwritable),
      settingCheck(config),
      versionCheck(),
    ]
    const findings = await runChecks(checks, { log })
    return renderExamined({ findings, asOf: Math.floor(now() / 1000), wayBack, places })
  }

  return {
    examine: (from) => look(from, 'not-tried'),
    examineAgain(pressed) {
      const tookMs = pressed.pressedAt === undefined ? undefined : now() - pressed.pressedAt
      return look(pressed, { tookMs })
    },
  }
}
