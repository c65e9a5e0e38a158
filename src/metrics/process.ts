// Figures of the process: those of prom-client but for its collections of garbage, of which it is told one by one. Under
// load that is as much work as all that is written into the database.
import { createRequire } from 'node:module'
import type { Registry } from 'prom-client'

type Collect = (register: Registry, config: { readonly eventLoopMonitoringPrecision: number }) => void

const require = createRequire(import.meta.url)
// Each by its name, so that whatever packs the bot finds them.
const kept: readonly Collect[] = [
  require('prom-client/lib/metrics/processCpuTotal.js'),
  require('prom-client/lib/metrics/processStartTime.js'),
  require('prom-client/lib/metrics/osMemoryHeap.js'),
  require('prom-client/lib/metrics/heapSizeAndUsed.js'),
  require('prom-client/lib/metrics/heapSpacesSizeAndUsed.js'),
  require('prom-client/lib/metrics/processOpenFileDescriptors.js'),
  require('prom-client/lib/metrics/processMaxFileDescriptors.js'),
  require('prom-client/lib/metrics/processResources.js'),
  require('prom-client/lib/metrics/eventLoopLag.js'),
  require('prom-client/lib/metrics/version.js'),
]

/** Their names begin with `process_` and `nodejs_`. */
export function collectProcess(register: Registry): void {
  for (const collect of kept) collect(register, { eventLoopMonitoringPrecision: 10 })
}
