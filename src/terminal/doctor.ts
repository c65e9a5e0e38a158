// `npm run doctor`: what is wrong, and how to mend it, before the first start as well. Exits with 1 when anything is
// red. `npm run doctor -- --ticket` leaves out hosts and files, too; `-- --blocks` asks Slack about the whole gallery.
import { setTimeout as delay } from 'node:timers/promises'
import { sampleCard } from '../alert/render/card.ts'
import type { Environment } from '../config/config.ts'
import { type ReadableSettings, readSettings } from '../config/readable.ts'
import { runChecks, worstFirst } from '../doctor/checks/check.ts'
import { judgePictures, type Picture } from '../doctor/checks/pictures.ts'
import { headline } from '../doctor/render.ts'
import { placesOf, renderReport, withoutSecrets } from '../doctor/render-report.ts'
import { keyProblems } from '../keys/key-checks.ts'
import { createLog } from '../log/log.ts'
import { createMonitor } from '../monitor/client.ts'
import { createPatience } from '../slack/client/patience.ts'
import { openSlackProbe } from '../slack/workspace/probe.ts'
import { inspectStorage } from '../storage/inspect.ts'
import { runHere } from './command.ts'
import { terminalChecks } from './examine.ts'
import type { Print } from './print.ts'

export async function runDoctor(words: readonly string[], env: Environment, print: Print): Promise<number> {
  const read = readSettings(env)
  if (words.includes('--blocks')) return askAboutGallery(read, print)
  const { proxy, monitorAuthorities: authorities } = read
  const log = createLog({ level: 'silent' })
  const checks = terminalChecks(env, {
    slack: (botToken, apiUrl) => openSlackProbe({ botToken, apiUrl, proxy, log }),
    monitor: (baseUrl) => createMonitor({ baseUrl, budgetMs: 4_000, authorities, proxy }),
    storage: inspectStorage,
    keyProblems,
    card: ({ severityNames, monitor: { alertUrl } }) => sampleCard({ severityNames, alertUrl }),
    answer,
    now: Date.now,
  })
  const findings = worstFirst(await runChecks(checks, { log }))
  const places = words.includes('--ticket') ? placesOf(read) : []
  print.lines(withoutSecrets(renderReport(headline(findings), findings), places).split('\n'))
  return findings.some(({ state }) => state === 'red') ? 1 : 0
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

function askAboutGallery({ botToken, slackApiUrl, proxy }: ReadableSettings, print: Print): Promise<number> {
  return judgePictures({
    judge:
      botToken === undefined || slackApiUrl === undefined
        ? undefined
        : openSlackProbe({ botToken, apiUrl: slackApiUrl, proxy, log: createLog({ level: 'silent' }) }),
    pictures,
    patiently: createPatience(delay),
    print: (line) => print.lines([line]),
  })
}

/** Undefined where the playground, which has the gallery, or a package that it needs is not installed. */
async function pictures(): Promise<readonly Picture[] | undefined> {
  try {
    const { showAll } = await import('../../playground/pictures/gallery/show.ts')
    return (await showAll()).flatMap(({ entry: { name }, shown }): Picture[] => {
      if (shown.kind !== 'message') return [{ name, judged: { view: shown.view } }]
      // A sentence alone has nothing to judge.
      return shown.blocks.length === 0 ? [] : [{ name, judged: { message: { blocks: shown.blocks } } }]
    })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

// Connections may still be open.
if (import.meta.main) process.exit(await runHere(runDoctor))
