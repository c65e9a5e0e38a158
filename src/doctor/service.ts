// Doctor's look at the monitoring service: whether it answers, and how fast.
import type { Monitor, Probe } from '../monitor/client.ts'
import { causeOf } from '../monitor/failures.ts'
import { amber, type Check, type Found, green, red } from './check.ts'

const slowMs = 1_500

export function serviceCheck(monitor: Pick<Monitor, 'probe'>): Check {
  return {
    name: 'Monitoring service',
    by: 'operator',
    ifSlow: 'Check that this machine can reach the host in MONITOR_API_URL.',
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
  const took = tookMs < 1_000 ? `${Math.max(1, Math.round(tookMs))} ms` : `${(tookMs / 1_000).toFixed(1)} s`
  if (tookMs < slowMs) return green(`It answers in ${took}.`)
  const found = `It answers slowly: it took ${took}.`
  return amber(found, 'Check the network in between, and the service.')
}

const otherAddress =
  'Check MONITOR_API_URL: it must be the address of the API, not of the website. If it’s correct, a proxy in between may be answering.'

/** @param reason - The system's code, `timed-out` or `not-http`. */
function silence(reason: string): Found {
  return red(`Bellhop can’t reach it (${reason}).`, mendFor(reason))
}

function mendFor(reason: string): string {
  if (reason === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'The service’s certificate is for another host. Correct the host in MONITOR_API_URL, or have a certificate made for this one.'
  }
  if (reason === 'CERT_HAS_EXPIRED') {
    return 'The service’s certificate has expired, or this machine’s clock is wrong. Have the certificate renewed, or set the clock.'
  }
  if (reason === 'not-http' || (reason.startsWith('ERR_SSL_') && causeOf(reason) !== 'certificate')) {
    return 'Something else answers there. Correct the scheme and port in MONITOR_API_URL.'
  }
  switch (causeOf(reason)) {
    case 'certificate':
      return 'This machine doesn’t trust the service’s certificate. Put the certificate that signed it into a file, and set MONITOR_CA_FILE to that file.'
    case 'refused':
      return 'Nothing is listening there. Start the service, or correct the host and port in MONITOR_API_URL.'
    case 'dns':
      return 'Its host name can’t be resolved. Correct the host in MONITOR_API_URL, or fix DNS.'
    default:
      return 'Check that the service is running, the network and firewalls between this machine and the host in MONITOR_API_URL, and HTTPS_PROXY if it’s set.'
  }
}
