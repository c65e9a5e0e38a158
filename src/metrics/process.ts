// Figures of the process: those of prom-client but for its collections of garbage, of which it is told one by one. Under
// load that is as much work as all that is written into the database.
import { createRequire } from 'node:module'
import type { Registry } from 'prom-client'

type Collect = (register: Registry, config: { readonly eventLoopMonitoringPrecision: number }) => void

const kept = [
  ...['processCpuTotal', 'processStartTime', 'osMemoryHeap', 'heapSizeAndUsed', 'heapSpacesSizeAndUsed'],
  ...[
    'processOpenFileDescriptors',
    'processMaxFileDescriptors',
    'processResources',
    'eventLoopLag',
    'version',
  ],
]

const require = createRequire(import.meta.url)

/** Their names begin with `process_` and `nodejs_`. */
export function collectProcess(register: Registry): void {
  for (const name of kept) {
    const collect: Collect = require(`prom-client/lib/metrics/${name}.js`)
    collect(register, { eventLoopMonitoringPrecision: 10 })
  }
}
