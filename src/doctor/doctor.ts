// Looks at everything that somebody's request depends on, and says what it found, to them alone.

import type { Config } from '../config/config.ts'
import { unfurlDomainOf } from '../config/installed.ts'
import type { Log } from '../log/log.ts'
import { requestNow } from '../log/request.ts'
import type { Monitor } from '../monitor/client.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Clock, PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { SlackProbe } from '../slack/workspace/probe.ts'
import type { Ability } from '../slack/workspace/scopes.ts'
import { inTime } from '../work/under-way.ts'
import { type AccountLook, accountCheck } from './account.ts'
import { chosenChannelChecks, hereCheck } from './channels.ts'
import { type Check, needsAttention, runChecks } from './check.ts'
import { renderExamined, withoutPlaces } from './render.ts'
import { serviceCheck } from './service.ts'
import { settingCheck, versionCheck } from './settings.ts'
import { arrivalCheck, slackTokenCheck } from './slack.ts'

export interface Doctor {
  /** What was found for whoever asks, where they ask. */
  examine(from: From): Promise<Message>
}

/** Admins wait no longer than this to be known as such. */
const mostForAdminMs = 5_000

/** What the operator has switched off. */
export function unusedIn(config: Pick<Config, 'unfurls' | 'monitor'>): readonly Ability[] {
  return unfurlDomainOf(config) === undefined ? ['unfurls'] : []
}

export function createDoctor(room: {
  readonly config: Pick<Config, 'unfurls' | 'monitor' | 'slack' | 'doubts' | 'audit' | 'approval'>
  readonly probe: PerWorkspace<SlackProbe>
  readonly monitor: Pick<Monitor, 'probe'>
  readonly account: AccountLook
  readonly storage: Check
  readonly isAdmin: (asker: SlackUser) => Promise<boolean>
  readonly log: Log
  readonly now: Clock
}): Doctor {
  const { config, probe, monitor, account, storage, isAdmin, log, now } = room

  function checksFor({ asker, place: { channelId, isDirect } }: From): readonly Check[] {
    const { scopes, see } = probe.in(asker.workspaceId)
    const channels = { audit: config.audit.channelId, approval: config.approval.channelId }
    return [
      accountCheck(account, asker),
      ...(channelId === undefined || isDirect ? [] : [hereCheck(see, channelId)]),
      settingCheck([], config.doubts),
      slackTokenCheck(scopes, unusedIn(config)),
      arrivalCheck(config.slack.transport.kind),
      ...chosenChannelChecks(see, channels),
      serviceCheck(monitor, now),
      storage,
      versionCheck(),
    ]
  }

  /** Where Slack does not say, they read what everybody does: the terminal tells all of it. */
  async function seesAll(asker: SlackUser): Promise<boolean> {
    try {
      return (await inTime(isAdmin(asker), mostForAdminMs)) ?? false
    } catch (error) {
      log.info({ err: error }, 'doctor could not find out whether somebody is an admin')
      return false
    }
  }

  return {
    async examine(from) {
      const [findings, isTold] = await Promise.all([runChecks(checksFor(from), { log }), seesAll(from.asker)])
      const asOf = Math.floor(now() / 1000)
      if (isTold) return renderExamined(findings, asOf)
      // The reader gets the reference of this line.
      const kept = findings.filter((one) => one.by === 'operator' && needsAttention(one))
      const found = kept.map((one) => `${one.name}: ${one.found}`)
      if (found.length > 0) log.info({ found }, 'doctor found what only whoever runs Bellhop can fix')
      const reference = requestNow()?.id ?? 'none'
      return renderExamined(
        findings.map((one) => withoutPlaces(one, reference)),
        asOf,
      )
    },
  }
}
