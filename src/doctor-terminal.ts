// `npm run doctor`: what is wrong, and how to mend it, before the first start as well. Exits with 1 when anything is
// red. `npm run doctor -- --ticket` leaves out hosts and files, too.
import { readSettings } from './config-readable.ts'
import { runChecks, worstFirst } from './doctor/check.ts'
import { terminalChecks } from './doctor/examine-terminal.ts'
import { placesOf } from './doctor/places.ts'
import { headline } from './doctor/render.ts'
import { renderReport, withoutSecrets } from './doctor/render-report.ts'
import { createLog } from './log.ts'
import { createMonitor } from './monitor/client.ts'
import { openSlackProbe } from './slack/open-probe.ts'
import { inspectStorage } from './storage/inspect.ts'

const log = createLog({ level: 'silent' })
const { proxy } = readSettings(process.env)
const checks = terminalChecks(process.env, {
  slack: (botToken, apiUrl) => openSlackProbe({ botToken, apiUrl, proxy, log }),
  monitor: (baseUrl) => createMonitor({ baseUrl, budgetMs: 4_000, proxy }),
  storage: inspectStorage,
  now: Date.now,
})
const findings = worstFirst(await runChecks(checks, { log }))
const isForTicket = process.argv.includes('--ticket')
const places = isForTicket ? placesOf(readSettings(process.env)) : []
console.log(withoutSecrets(renderReport(headline(findings), findings), places))
// Connections may still be open.
process.exit(findings.some(({ state }) => state === 'red') ? 1 : 0)
