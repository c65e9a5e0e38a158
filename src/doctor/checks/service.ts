// Doctor's look at the monitoring service: whether it answers, how fast, whether the clocks agree,
// and what Bellhop asks of it.

import type { Monitor, Probe } from '../../monitor/client.ts'
import { causeOf, type Outage } from '../../monitor/failures.ts'
import type { Clock } from '../../slack/ids.ts'
import type { Check, Finding } from './check.ts'

const name = 'Monitoring service'
const clockName = 'Clock'

const slowMs = 1_500
/** Times on cards are compared with this machine's clock. */
const mostApartMs = 30_000

/** @param outage - Where a bot runs: what its calls have come to. */
export function serviceCheck(
  monitor: Pick<Monitor, 'probe'>,
  now: Clock,
  outage: Outage['state'] = () => undefined,
): Check {
  return {
    name,
    by: 'operator',
    ifSlow: 'Check that this machine can reach the host in MONITOR_API_URL.',
    async run() {
      const before = now()
      const probe = await monitor.probe()
      const meanwhileMs = (before + now()) / 2
      const isFor = lasting(outage(), now())
      if (probe.kind === 'silent') return [{ name, state: 'red', ...silence(probe.reason, isFor) }]
      return [answer(probe, isFor), clock(probe.dateMs, meanwhileMs)]
    },
  }
}

type Answered = Extract<Probe, { kind: 'answered' }>

/** A sentence that follows others; empty where the look itself was the first to fail. */
function lasting(outage: ReturnType<Outage['state']>, now: number): string {
  const minutes = outage === undefined ? 0 : Math.floor((now - outage.since) / 60_000)
  if (minutes <= 0) return ''
  return ` No call has succeeded for ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
}

function answer({ status, tookMs }: Answered, isFor: string): Finding {
  const took = milliseconds(tookMs)
  if (status === 429 || status >= 500) {
    const found = `It answers ${status}: it’s busy or something is wrong with it.${isFor}`
    return { name, state: 'red', found, mend: 'Try again in a minute, or tell whoever runs the service.' }
  }
  if (status !== 401) {
    return {
      name,
      state: 'red',
      found: `Something answers ${status}, where the service would ask for a token (401).`,
      mend: 'Check MONITOR_API_URL: it must be the address of the API, not of the website. If it’s correct, a proxy in between may be answering.',
    }
  }
  if (tookMs >= slowMs) {
    const found = `It answers slowly: it took ${took}.`
    return {
      name,
      state: 'amber',
      found,
      mend: 'Check the network in between, and the service.',
      isFelt: true,
    }
  }
  return { name, state: 'green', found: `It answers in ${took}.` }
}

function milliseconds(ms: number): string {
  return ms < 1_000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1_000).toFixed(1)} s`
}

function silence(reason: string, isFor: string): Pick<Finding, 'found' | 'mend'> {
  const { found, mend } = silenceOf(reason)
  return { found: found + isFor, mend }
}

function silenceOf(reason: string): { readonly found: string; readonly mend: string } {
  switch (reason) {
    case 'timed-out':
      return {
        found: 'It didn’t answer in time.',
        mend: 'Check that it’s running, and that no firewall is in the way.',
      }
    case 'not-http':
      return {
        found: 'Something answers, but it doesn’t speak HTTP.',
        mend: 'Correct the scheme and port in MONITOR_API_URL.',
      }
    case 'ECONNREFUSED':
      return {
        found: 'Nothing is listening there.',
        mend: 'Start it, or correct the host and port in MONITOR_API_URL.',
      }
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        found: 'Its host name can’t be resolved.',
        mend: 'Correct the host in MONITOR_API_URL, or fix DNS.',
      }
    default:
      if (reason.startsWith('ERR_SSL_') && causeOf(reason) !== 'certificate') {
        return {
          found: 'Something answers, but it doesn’t speak TLS.',
          mend: 'Correct the scheme and port in MONITOR_API_URL.',
        }
      }
      return { found: `Bellhop can’t reach it (${reason}).`, mend: mendFor(reason) }
  }
}

function mendFor(reason: string): string {
  if (reason === 'ERR_TLS_CERT_ALTNAME_INVALID') return mendOtherHost
  if (reason === 'CERT_HAS_EXPIRED') return mendExpired
  return causeOf(reason) === 'certificate' ? mendTls : mendNetwork
}

const mendTls =
  'This machine doesn’t trust the service’s certificate. Put the certificate that signed it into a file, and set MONITOR_CA_FILE to that file.'
const mendOtherHost =
  'The service’s certificate is for another host. Correct the host in MONITOR_API_URL, or have a certificate made for this one.'
const mendExpired =
  'The service’s certificate has expired, or this machine’s clock is wrong. Have the certificate renewed, or set the clock.'
const mendNetwork =
  'Check the network between this machine and the host in MONITOR_API_URL, and HTTPS_PROXY if it’s set.'

/** @param meanwhileMs - By this machine's clock, when the service said its own. */
function clock(dateMs: number | undefined, meanwhileMs: number): Finding {
  if (dateMs === undefined) {
    return {
      name: clockName,
      state: 'untested',
      found: 'The service doesn’t say what time it is, so Bellhop can’t compare clocks.',
      mend: 'Check this machine’s clock yourself.',
    }
  }
  // What was cut off of the second is half of one on average.
  const apartMs = Math.abs(meanwhileMs - (dateMs + 500))
  const seconds = Math.round(apartMs / 1_000)
  if (apartMs <= mostApartMs) {
    const found =
      seconds <= 1
        ? 'This machine’s clock agrees with the service’s.'
        : `This machine’s clock is within ${seconds} seconds of the service’s.`
    return { name: clockName, state: 'green', found }
  }
  const side = meanwhileMs > dateMs ? 'ahead of' : 'behind'
  return {
    name: clockName,
    state: 'amber',
    found: `This machine’s clock is ${seconds} seconds ${side} the service’s.`,
    mend: 'Turn on time synchronisation on both machines. Over HTTP, a clock that is five minutes off makes Bellhop refuse Slack’s requests.',
  }
}

const operationsName = 'Operations'

/** What Bellhop asks of the service: everything it can, or no more than reading alerts and adding users. */
export function operationsCheck(operations: 'all' | 'basic'): Check {
  const found =
    operations === 'basic'
      ? 'MONITOR_OPERATIONS is basic, so Bellhop only reads alerts and adds users.'
      : 'Bellhop uses every operation it knows.'
  return {
    name: operationsName,
    by: 'operator',
    run: async () => [{ name: operationsName, state: 'green', found }],
    ifSlow: '',
  }
}
