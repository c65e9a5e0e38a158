// Looks at everything that somebody's request depends on, and says what it found, to them alone.

import { isAwayFrom } from '../alert/call.ts'
import { calleesOf } from '../alert/followed.ts'
import { span } from '../alert/render/state.ts'
import { version } from '../config/version.ts'
import { overdue } from '../ends/telling.ts'
import type { House } from '../house.ts'
import { requestNow } from '../log/log.ts'
import { countLateModes } from '../maintenance/looks.ts'
import type { CommandRequest, From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/person.ts'
import { inspectStorage } from '../storage/storage.ts'
import { inTime } from '../work/under-way.ts'
import { accountCheck } from './account.ts'
import { amber, type Check, green, needsAttention, red, runChecks } from './check.ts'
import { renderExamined } from './render.ts'
import { operationsCheck, serviceCheck, storageCheck } from './service.ts'
import { channelCheck, configuredChecks } from './slack.ts'

/** `/alert doctor`: what was found for whoever asks, where they ask. */
export async function examine(house: House, request: CommandRequest): Promise<void> {
  const { slack, log, now } = house
  const [findings, reader] = await Promise.all([
    runChecks(checksFor(house, request), log),
    // An admin whom Slack doesn’t name in time counts as anybody else. For operators, `npm run doctor` tells all.
    inTime(slack.people.whoIs(request.asker.userId), 5_000),
  ])
  const asOf = Math.floor(now() / 1000)
  // Findings that an operator has to mend may name hosts and files: only admins read them in Slack.
  const kept = findings.filter(
    (one) => !reader?.isAdmin && one.by === 'operator' && needsAttention(one),
  )
  const found = kept.map((one) => `${one.name}: ${one.found}`)
  if (found.length > 0) log.info({ found }, 'doctor found what only whoever runs Bellhop can fix')
  const hidden = `Whoever runs Bellhop can fix this (reference ${requestNow()?.id ?? 'none'}).`
  const shown = findings.map((one) =>
    kept.includes(one) ? { name: one.name, state: one.state, found: hidden } : one,
  )
  await request.answer(renderExamined(shown, asOf))
}

function checksFor(
  house: House,
  { asker, place: { channelId, isDirect } }: From,
): readonly Check[] {
  const { config, slack, monitor, storage } = house
  return [
    accountCheck(house, asker),
    ...(channelId === undefined || isDirect
      ? []
      : [
          channelCheck(slack.probe.see, channelId),
          { name: 'Followed here', run: () => followsFound(house, asker, channelId) },
          { name: 'Machines', run: () => machinesFound(house, asker, channelId) },
        ]),
    ...configuredChecks(slack.probe, config),
    { name: 'Access that ends', run: () => lateEndsFound(house) },
    { name: 'Maintenance', run: () => lateModesFound(house) },
    serviceCheck(monitor),
    operationsCheck(config.hasAllOperations),
    storageCheck(() => inspectStorage(config.databaseUrl), config.encryptionKeys, storage),
    versionCheck,
  ]
}

async function lateEndsFound(house: House) {
  const { count, mostMs } = await overdue(house)
  if (count === 0) return []

  const late = span(Math.round(mostMs / 1000)) ?? 'very'
  const found = `Access should have ended, and nothing shows that it has (${count}, up to ${late} late).`
  return [red(found, 'Press Remove now on its message, in the approval or the audit channel.')]
}

async function lateModesFound(house: House) {
  const count = await countLateModes(house)
  if (count === 0) return []

  const found = `Maintenance should have ended, and nothing shows that it has (${count}).`
  const mend =
    'Type /alert maintenance with the number of the container, and press End maintenance.'
  return [red(found, mend)]
}

/** Versions of Bellhop and of what it runs on; the database's own is in its line. */
export const versionCheck: Check = {
  name: 'Versions',
  run: async () => [
    green(`Bellhop ${version} on Node ${process.versions.node}, ${process.platform}.`),
  ],
}

/** Faults of the containers that a channel follows; nothing is said if all is well. */
async function followsFound(house: House, { workspaceId }: SlackUser, ref: string) {
  const { storage, now } = house
  const all = await storage.follows.list({ workspaceId, ref })
  const since = (ms: number) => `for ${span(Math.round((now() - ms) / 1000)) ?? 'a moment'}`
  const found = all.map(async ({ container, containerId, lostAt, isOut, unsaid, call }) => {
    if (lostAt !== undefined)
      return red(
        `Nobody’s account has read ${container} ${since(lostAt)}, so nothing new appears here.`,
        isOut
          ? 'Type /invite @Bellhop here, or unarchive the channel.'
          : 'Press Take over with my account on its message: /alert follows shows it.',
      )
    if (unsaid === undefined) {
      for (const { mention, name } of calleesOf(call)) {
        if (await isAwayFrom(house, ref, mention))
          return red(
            `${name}, whom ${container} calls, isn’t in this channel any more.`,
            `Invite them again, or type /alert follow ${containerId} call with somebody else.`,
          )
      }
      return []
    }
    const why = unsaid.word === undefined ? 'Slack doesn’t take them' : `Slack says ${unsaid.word}`
    return red(
      `New alerts of ${container} haven’t appeared here ${since(unsaid.since)}: ${why}.`,
      'Let Bellhop post here, in the channel’s settings, or type /alert follow in another channel.',
    )
  })
  return (await Promise.all(found)).flat()
}

/** A finding that tells of how many followed alerts Bellhop knows the machine, and how it can learn the others. */
async function machinesFound({ storage, config }: House, { workspaceId }: SlackUser, ref: string) {
  const all = await storage.follows.list({ workspaceId, ref })
  const alerts = all.flatMap(({ seen }) => Object.values(seen))
  if (alerts.length === 0 || !config.hasAllOperations) return []

  const known = alerts.filter(({ asset }) => asset !== undefined).length

  const found = `Bellhop knows it for ${known} of ${alerts.length} open alerts followed here.`
  if (known === alerts.length) return [green(found)]

  const mend =
    'Press Get alerts at once on the follow’s message, which needs PUBLIC_URL, and paste what it shows into monitoring. If that is done, check that the account that reads here can see these machines there.'
  return [amber(found, mend)]
}
