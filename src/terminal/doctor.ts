// `npm run doctor`: what is wrong, and how to fix it, before the first start as well. Exits with 1 when anything is
// red. `npm run doctor -- --ticket` leaves out hosts and files, too; `-- --blocks` asks Slack about the whole gallery.

import { setTimeout as delay } from 'node:timers/promises'
import { sampleCard } from '../alert/render/card.ts'
import {
  type Config,
  type Environment,
  type ReadableSettings,
  readSettings,
  workingAlertUrl,
} from '../config/config.ts'
import { cardCheck } from '../doctor/checks/cards.ts'
import { type Check, headline, runChecks, worstFirst } from '../doctor/checks/check.ts'
import { isMoved, ownUrl, readyCheck } from '../doctor/checks/running.ts'
import { operationsCheck, serviceCheck } from '../doctor/checks/service.ts'
import { settingCheck, settingProblems, unusedIn, versionCheck } from '../doctor/checks/settings.ts'
import { slackTokenCheck, socketOfferCheck, unprovenHttpCheck, whyOf } from '../doctor/checks/slack.ts'
import { storageCheck } from '../doctor/checks/storage.ts'
import { placesOf, renderReport, withoutSecretsOrPlaces } from '../doctor/render.ts'
import { errorCode } from '../errors.ts'
import { keyProblems } from '../keys/key-checks.ts'
import { createLog, type Log } from '../log/log.ts'
import { createMonitor } from '../monitor/client.ts'
import { classify } from '../slack/client/refusals.ts'
import { createPatience, type Patiently } from '../slack/client/web-client.ts'
import type { Message } from '../slack/outbound/message.ts'
import { type Judge, type Judged, openSlackProbe } from '../slack/workspace/probe.ts'
import { inspectStorage } from '../storage/storage.ts'
import { type Print, runHereToTheEnd } from './command.ts'

export async function runDoctor(words: readonly string[], env: Environment, print: Print): Promise<number> {
  const read = readSettings(env)
  if (words.includes('--blocks')) return askAboutGallery(read, print)
  const log = createLog({ level: 'silent' })
  const findings = worstFirst(await runChecks(terminalChecks(read, log), { log }))
  const places = words.includes('--ticket') ? placesOf(read) : []
  print.lines(withoutSecretsOrPlaces(renderReport(`${headline(findings)}.`, findings), places).split('\n'))
  return findings.some(({ state }) => state === 'red') ? 1 : 0
}

/** Checks where no bot runs: a look at each thing that its settings allow to look at. */
function terminalChecks(read: ReadableSettings, log: Log): readonly Check[] {
  const { config, monitorApiUrl, monitorAuthorities: authorities, proxy } = read
  const figures = saidBy(read, '/metrics')
  const ready = saidBy(read, '/readyz')
  const service =
    monitorApiUrl && createMonitor({ baseUrl: monitorApiUrl, budgetMs: 4_000, authorities, proxy })
  return [
    config === undefined ? problemCheck(read.problems) : settingCheck(config, { isRunning: false, figures }),
    ...slackChecks(read, log),
    ...(config === undefined ? [] : [operationsCheck(config.monitor.operations)]),
    ...(service ? [serviceCheck(service, Date.now)] : []),
    ...arrivalChecks(read, figures),
    readyCheck(ready),
    ...databaseChecks(read, ready),
    versionCheck(),
  ]
}

function problemCheck(problems: readonly string[]): Check {
  return { name: 'Settings', run: async () => settingProblems(problems), ifSlow: '' }
}

function slackChecks(read: ReadableSettings, log: Log): readonly Check[] {
  const { config, botToken, appToken, slackApiUrl: apiUrl, proxy } = read
  if (apiUrl === undefined) return []
  const unused = config === undefined ? [] : unusedIn(config)
  const probe = botToken && openSlackProbe({ botToken, apiUrl, proxy, log })
  return [
    ...(probe ? [slackTokenCheck(probe.scopes, unused)] : []),
    ...(probe && config ? [cardCheck(probe, cardHere(config))] : []),
    ...(appToken
      ? [
          socketOfferCheck(() =>
            openSlackProbe({ botToken: undefined, apiUrl, proxy, log }).offersSocket(appToken),
          ),
        ]
      : []),
  ]
}

/** A card as this configuration has it drawn. */
function cardHere({ severityNames, monitor }: Config): Message {
  return sampleCard({
    severityNames,
    alertUrl: workingAlertUrl(monitor),
    canAct: monitor.operations === 'all',
  })
}

type Said = () => Promise<string | undefined>

/** What the Bellhop that runs here says at an address; asked for once, whoever looks at it. */
function saidBy({ config }: ReadableSettings, path: '/metrics' | '/readyz'): Said {
  let asked: ReturnType<Said> | undefined
  return async () => {
    if (config === undefined) return undefined
    asked ??= answer(ownUrl(path, config))
    return asked
  }
}

/** Undefined where nothing answers there. A bot that is not ready says so with 503, after 2.5 seconds at most. */
async function answer(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(3_500) })
    return response.ok || response.status === 503 ? await response.text() : undefined
  } catch {
    return undefined
  }
}

function arrivalChecks({ config }: ReadableSettings, figures: Said): readonly Check[] {
  return config?.slack.transport.kind === 'http' ? [unprovenHttpCheck(figures)] : []
}

function databaseChecks({ databaseUrl, encryptionKeys }: ReadableSettings, ready: Said): readonly Check[] {
  if (databaseUrl === undefined) return []
  const check = storageCheck(
    () => inspectStorage(databaseUrl),
    false,
    (checks) => (encryptionKeys === undefined ? [] : keyProblems(checks, encryptionKeys)),
  )
  // What is in its place is not what the bot works with, and “the first start creates it” would be bad advice.
  return [{ ...check, run: async () => (isMoved(await ready()) ? [] : check.run()) }]
}

function askAboutGallery({ botToken, slackApiUrl, proxy }: ReadableSettings, print: Print): Promise<number> {
  return judgePictures({
    judge:
      botToken === undefined || slackApiUrl === undefined
        ? undefined
        : openSlackProbe({ botToken, apiUrl: slackApiUrl, proxy, log: createLog({ level: 'silent' }) }),
    pictures: galleryPictures,
    patiently: createPatience(delay),
    print: (line) => print.lines([line]),
  })
}

/** Undefined where the playground, which has the gallery, or a package that it needs is not installed. */
async function galleryPictures(): Promise<readonly Picture[] | undefined> {
  try {
    const { showAll } = await import('../../playground/pictures/gallery/show.ts')
    return (await showAll()).flatMap(({ entry: { name }, shown }): Picture[] => {
      if (shown.kind !== 'message') return [{ name, judged: { view: shown.view } }]
      // A sentence alone has nothing to judge.
      return shown.blocks.length === 0 ? [] : [{ name, judged: { message: { blocks: shown.blocks } } }]
    })
  } catch (error) {
    if (errorCode(error) === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

export interface Picture {
  readonly name: string
  readonly judged: Judged
}

/** For the shell: whether Slack takes all, refuses something, or could not be asked about all. */
const endings = { taken: 0, refused: 1, notAsked: 2 } as const
type Ending = (typeof endings)[keyof typeof endings]

/**
 * @param room.judge - Undefined without a bot token.
 * @param room.pictures - Undefined where the gallery is not installed.
 */
export async function judgePictures(room: {
  readonly judge: Judge | undefined
  readonly pictures: () => Promise<readonly Picture[] | undefined>
  readonly patiently: Patiently
  /** Prints one line, whatever is in it. */
  readonly print: (line: string) => void
}): Promise<Ending> {
  const { judge, patiently, print } = room
  if (judge === undefined) {
    print(
      'This asks Slack, so it needs SLACK_BOT_TOKEN: the bot token (xoxb-…) of any workspace. It needs no scope.',
    )
    return endings.notAsked
  }
  const pictures = await room.pictures()
  if (pictures === undefined) {
    print(
      'The gallery is not installed here: the image leaves it out, and it needs the development packages. Run this in a checkout after npm ci.',
    )
    return endings.notAsked
  }
  print(`Asking Slack about ${pictures.length} messages, forms and Home tabs, one after the other.`)
  const asked = await askAll(pictures, judge, patiently)
  for (const { name, complaints } of asked.refused) {
    print('')
    print(`REFUSED  ${name}`)
    for (const said of complaints) print(`         ${said}`)
  }
  if (asked.stoppedBy !== undefined) {
    print('')
    print(`${whyStopped(asked.stoppedBy)} Slack was asked about ${asked.count} of ${pictures.length}.`)
    return asked.refused.length > 0 ? endings.refused : endings.notAsked
  }
  const taken = pictures.length - asked.refused.length
  print('')
  print(`Slack takes ${taken} of ${pictures.length}.`)
  return asked.refused.length > 0 ? endings.refused : endings.taken
}

interface Asked {
  readonly count: number
  readonly refused: readonly { readonly name: string; readonly complaints: readonly string[] }[]
  /** What ended it before all were asked about. */
  readonly stoppedBy?: unknown
}

async function askAll(pictures: readonly Picture[], judge: Judge, patiently: Patiently): Promise<Asked> {
  const refused: { name: string; complaints: readonly string[] }[] = []
  for (const [count, { name, judged }] of pictures.entries()) {
    try {
      const complaints = await patiently(() => judge.complaintsAbout(judged))
      if (complaints.length > 0) refused.push({ name, complaints })
    } catch (stoppedBy) {
      if (classify(stoppedBy).kind === 'defect') throw stoppedBy
      return { count, refused, stoppedBy }
    }
  }
  return { count: pictures.length, refused }
}

function whyStopped(error: unknown): string {
  if (classify(error).word === 'unknown_method') return 'This Slack does not offer blocks.validate.'
  return `Slack does not judge (${whyOf(error)}).`
}

// Connections may still be open.
if (import.meta.main) await runHereToTheEnd(runDoctor)
