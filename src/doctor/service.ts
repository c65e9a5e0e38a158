// Doctor's look at the monitoring service: whether it answers, and how fast.
import type { Monitor, Probe } from '../monitor/client.ts'
import { causeOf } from '../monitor/failures.ts'
import { amber, type Check, type Found, green, red } from './check.ts'

const slowMs = 1_500

export function serviceCheck(monitor: Pick<Monitor, 'probe'>): Check {
  return {
    name: 'Monitoring service',
    by: 'operator',
    async run() {
      const probe = await monitor.probe()
      return [probe.kind === 'silent' ? silence(probe.reason) : answer(probe)]
    },
  }
}

function answer({ status, tookMs }: Extract<Probe, { kind: 'answered' }>): Found {
  if (status === 429 || status >= 500) {
    const found = `It answers ${status}: it’s busy or something is wrong with it.`
    return red(found, 'Try again in a minute, or tell whoever runs the service.')
  }
  if (status !== 401) {
    const found = `Something answers ${status}, where the service would ask for a token (401).`
    return red(found, otherAddress)
  }
  if (tookMs < slowMs) return green(`It answers in ${Math.max(1, Math.round(tookMs))} ms.`)
  const found = `It answers slowly: it took ${(tookMs / 1_000).toFixed(1)} s.`
  return amber(found, 'Check the network in between, and the service.')
}

const otherAddress =
  'Check MONITOR_API_URL: it must be the address of the API, not of the website. If it’s correct, a proxy in between may be answering.'

/** @param reason - The system's code, `timed-out` or `not-http`. */
function silence(reason: string): Found {
  const network =
    'Check the scheme, host and port in MONITOR_API_URL, the network and firewalls in between, and HTTPS_PROXY if it’s set.'
  return red(`Bellhop can’t reach it (${reason}).`, mends[causeOf(reason)] ?? network)
}

const mends: Readonly<Partial<Record<ReturnType<typeof causeOf>, string>>> = {
  certificate:
    'Its certificate has expired, is for another host, or was signed by somebody whom this machine doesn’t trust. For the last, set MONITOR_CA_FILE to a file with the certificate that signed it.',
  refused: 'Nothing is listening there. Start the service, or correct the host and port in MONITOR_API_URL.',
  dns: 'Its host name can’t be resolved. Correct the host in MONITOR_API_URL, or fix DNS.',
}
