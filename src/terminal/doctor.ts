// `npm run doctor`: what is wrong, and how to mend it, before the first start as well. Exits with 1 when anything is
// red. `npm run doctor -- --ticket` leaves out hosts and files, too; `-- --blocks` asks Slack about the whole gallery.
import { setTimeout as delay } from 'node:timers/promises'
import { sampleCard } from '../alert/render/card.ts'
import { readSettings } from '../config/readable.ts'
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
import { terminalChecks } from './examine.ts'
import { printLines } from './print.ts'

const log = createLog({ level: 'silent' })
const { proxy, monitorAuthorities: authorities } = readSettings(process.env)
if (process.argv.includes('--blocks')) process.exit(await askAboutGallery())
const checks = terminalChecks(process.env, {
  slack: (botToken, apiUrl) => openSlackProbe({ botToken, apiUrl, proxy, log }),
  monitor: (baseUrl) => createMonitor({ baseUrl, budgetMs: 4_000, authorities, proxy }),
  storage: inspectStorage,
  keyProblems,
  card: ({ severityNames, monitor: { alertUrl } }) => sampleCard({ severityNames, alertUrl }),
  answer,
  now: Date.now,
})
const findings = worstFirst(await runChecks(checks, { log }))
const isForTicket = process.argv.includes('--ticket')
const places = isForTicket ? placesOf(readSettings(process.env)) : []
printLines(withoutSecrets(renderReport(headline(findings), findings), places).split('\n'))
// Connections may still be open.
process.exit(findings.some(({ state }) => state === 'red') ? 1 : 0)

/** Undefined where nothing answers there. A bot that is not ready says so with 503, after 2.5 seconds at most. */
async function answer(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(3_500) })
    return response.ok || response.status === 503 ? await response.text() : undefined
  } catch {
    return undefined
  }
}

function askAboutGallery(): Promise<number> {
  const { botToken, slackApiUrl } = readSettings(process.env)
  return judgePictures({
    judge:
      botToken === undefined || slackApiUrl === undefined
        ? undefined
        : openSlackProbe({ botToken, apiUrl: slackApiUrl, proxy, log }),
    pictures,
    patiently: createPatience(delay),
    print: (line) => printLines([line]),
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
