// The gallery's lines of doctor about the monitoring service, and about the account of who asks.
import { accountCheck, rightsCheck } from '../../../../src/doctor/checks/account.ts'
import { tooSlow } from '../../../../src/doctor/checks/check.ts'
import { serviceCheck } from '../../../../src/doctor/checks/service.ts'
import { MonitorError, type MonitorErrorCode } from '../../../../src/errors.ts'
import type { Probe } from '../../../../src/monitor/client.ts'
import type { OwnPermissions } from '../../../../src/monitor/containers.ts'
import type { Entry } from '../stage/entry.ts'
import { asOf } from '../stage/sample.ts'
import { found, line } from './doctor-lines.ts'

const now = asOf * 1000

function answers(changes: Partial<Extract<Probe, { kind: 'answered' }>> = {}) {
  return service({ kind: 'answered', status: 401, tookMs: 34, dateMs: now, ...changes })
}

function service(probe: Probe) {
  return serviceCheck({ probe: async () => probe }, () => now)
}

function silent(when: string, reason: string): Promise<Entry> {
  return found(when, service({ kind: 'silent', reason }))
}

/** @param seconds - How far the service's clock is ahead. What it cuts off is half a second on average. */
function clock(when: string, seconds: number): Promise<Entry> {
  return found(when, answers({ dateMs: now + seconds * 1000 - 500 }), 'Clock')
}

export const wellService = answers()
export const deadService = service({ kind: 'silent', reason: 'ECONNREFUSED' })

export const serviceLines: readonly Entry[] = await Promise.all([
  silent('The host name can’t be resolved.', 'ENOTFOUND'),
  silent('Nothing answers in time.', 'timed-out'),
  silent('Something answers that isn’t a web server.', 'not-http'),
  silent('Something answers that doesn’t speak TLS.', 'ERR_SSL_WRONG_VERSION_NUMBER'),
  silent('The certificate isn’t trusted.', 'DEPTH_ZERO_SELF_SIGNED_CERT'),
  silent('The certificate is for another host.', 'ERR_TLS_CERT_ALTNAME_INVALID'),
  silent('The certificate has expired.', 'CERT_HAS_EXPIRED'),
  silent('The proxy doesn’t accept the password.', 'PROXY_407'),
  silent('Another network fault.', 'EHOSTUNREACH'),
  found('The service has a fault.', answers({ status: 503 })),
  found(
    'The service has had a fault for a while.',
    serviceCheck(
      { probe: async () => ({ kind: 'answered', status: 503, tookMs: 34, dateMs: now }) },
      () => now,
      () => ({ cause: 'fault', code: '503', since: now - 25 * 60_000, lastFailedAt: now }),
    ),
  ),
  found('Another server answers.', answers({ status: 404 })),
  found('The service is slow.', answers({ tookMs: 2_300 })),
  line('The check of the service takes too long.', tooSlow(wellService, 5_000)),
  clock('The clocks are a little apart.', 12),
  clock('The clocks are far apart.', -95),
  found('The service doesn’t say what time it is.', answers({ dateMs: undefined }), 'Clock'),
])

/** @param token - Undefined: not connected. @param code - How the service answers it. */
export function account(token: string | undefined, code: MonitorErrorCode) {
  return accountCheck(
    {
      tokens: { find: async () => token },
      monitor: { readAlert: () => Promise.reject(new MonitorError(code, 'as the gallery has it')) },
    },
    { workspaceId: 'T1', userId: 'U1' },
  )
}

/** Of somebody who has used container 12. */
function rights(own: OwnPermissions, name?: string) {
  return rightsCheck(
    {
      tokens: { find: async () => 'token' },
      monitor: { ownPermissions: async () => own },
      lastContainer: async () => 12,
      containerWords: async () => name,
    },
    { workspaceId: 'T1', userId: 'U1' },
  )
}

const has = (...permissions: readonly string[]): OwnPermissions => ({
  kind: 'known',
  permissions: ['API', ...permissions],
  tokenType: 'user',
})

export const accountLines: readonly Entry[] = await Promise.all([
  found('The service refuses the person’s token.', account('token', 'refused')),
  found('The person’s token isn’t allowed to read.', account('token', 'forbidden')),
  found('Bellhop can’t test the person’s token.', account('token', 'unreachable')),
  found(
    'The person’s token can do all that Bellhop does.',
    rights(has('READ', 'ALERT_CHANGE', 'ALERT_ASSIGN', 'CONTAINER_ACCESS'), 'Customer 1 (12)'),
  ),
  found('The person’s token can do some of it.', rights(has('READ', 'ALERT_CHANGE'))),
  found('The person’s token can do nothing of it.', rights(has())),
  found('Monitoring doesn’t say what the person’s token can do.', rights({ kind: 'unknown' })),
  line('The check of the account takes too long.', tooSlow(account('token', 'not-found'), 5_000)),
])
