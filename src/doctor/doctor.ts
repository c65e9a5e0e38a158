// Looks at everything that somebody's request depends on, and says what it found, to them alone.
import type { Config } from '../config/config.ts'
import { unfurlDomainOf } from '../config/installed.ts'
import type { House } from '../house.ts'
import { requestNow } from '../log/request.ts'
import type { CommandRequest, From } from '../slack/guard/requests.ts'
import type { Ability } from '../slack/workspace/scopes.ts'
import { inspectStorage } from '../storage/storage.ts'
import { inTime } from '../work/under-way.ts'
import { accountCheck } from './account.ts'
import { chosenChannelChecks, hereCheck } from './channels.ts'
import { type Check, needsAttention, runChecks } from './check.ts'
import { followsCheck } from './follows.ts'
import { renderExamined, withoutPlaces } from './render.ts'
import { serviceCheck } from './service.ts'
import { settingCheck, versionCheck } from './settings.ts'
import { slackTokenCheck } from './slack.ts'
import { storageCheck } from './storage.ts'

/** Admins wait no longer than this to be known as such. */
const mostForAdminMs = 5_000

/** What the operator has switched off. */
export function unusedIn(config: Config): readonly Ability[] {
  return unfurlDomainOf(config) === undefined ? ['unfurls'] : []
}

/** `/alert doctor`: what was found for whoever asks, where they ask. */
export async function examine(house: House, request: CommandRequest): Promise<void> {
  const { log, now } = house
  const [findings, isTold] = await Promise.all([
    runChecks(checksFor(house, request), { log }),
    seesAll(house, request),
  ])
  const asOf = Math.floor(now() / 1000)
  if (isTold) return request.answer(renderExamined(findings, asOf))
  // The reader gets the reference of this line.
  const kept = findings.filter((one) => one.by === 'operator' && needsAttention(one))
  const found = kept.map((one) => `${one.name}: ${one.found}`)
  if (found.length > 0) log.info({ found }, 'doctor found what only whoever runs Bellhop can fix')
  const reference = requestNow()?.id ?? 'none'
  const shown = findings.map((one) => withoutPlaces(one, reference))
  await request.answer(renderExamined(shown, asOf))
}

function checksFor(house: House, { asker, place: { channelId, isDirect } }: From): readonly Check[] {
  const { config, slack, monitor, storage } = house
  const { scopes, see } = slack.probe
  return [
    accountCheck(house, asker),
    ...(channelId === undefined || isDirect
      ? []
      : [hereCheck(see, channelId), followsCheck(house, asker.workspaceId, channelId)]),
    settingCheck([], config.doubts),
    slackTokenCheck(scopes, unusedIn(config)),
    ...chosenChannelChecks(see, config),
    serviceCheck(monitor),
    storageCheck(() => inspectStorage(config.databaseUrl), config.encryptionKeys, storage),
    versionCheck(),
  ]
}

/** Where Slack does not say, they read what everybody does: the terminal tells all of it. */
async function seesAll({ slack, log }: House, { asker }: From): Promise<boolean> {
  try {
    return (await inTime(slack.people.isAdmin(asker.userId), mostForAdminMs)) ?? false
  } catch (error) {
    log.info({ err: error }, 'doctor could not find out whether somebody is an admin')
    return false
  }
}
