// Reads from the service: an alert, and assets and containers with what is in them. That a container isn’t there is an
// ordinary answer, not an error, as people type numbers.
// Source: the API document of the service, “Query alert”; of all else, its documentation.
import type { z } from 'zod'
import { MonitorError, orMonitorError } from '../errors.ts'
import { exchange } from '../http/http.ts'
import { type Operation, plainHeaders, read, type Service, timed } from './call.ts'
import { refusal, silence } from './failures.ts'
import {
  type Alert,
  alertSchema,
  assetFields,
  assetSchema,
  assetsSchema,
  containerSchema,
  inviteFields,
  invitesSchema,
  isSameKey,
  namedFields,
  openAlertFields,
  openAlertsSchema,
  ownPermissionsSchema,
  parseAs,
  peopleSchema,
  personFields,
} from './schema.ts'

/** Results by status, for statuses that say that there is no such thing, or none for this token. */
const none = {
  asset: { 400: { kind: 'no-asset' }, 404: { kind: 'no-asset' } },
  container: { 404: { kind: 'no-container' } },
  // A 403 doesn’t mean that the token may do nothing: perhaps reading permissions needs a flag that it lacks.
  permissions: { 400: { kind: 'unknown' }, 403: { kind: 'unknown' }, 404: { kind: 'unknown' } },
} as const

export type ContainerPeople = Awaited<ReturnType<ReturnType<typeof readsOf>['usersOf']>>

/**
 * The service’s word on a token. `forbidden`: the service knows the token, which lacks rights. `untested`: the service is
 * busy and didn’t say.
 */
export type TokenTrial = 'accepted' | 'forbidden' | 'untested'

/** A key that no alert has; made of visible text, so that the service takes it for a key. */
const impossibleKey = 'bellhop-tries-a-token'

const alertsPath = `/alerts${openAlertFields}`

/** Each read but `probe` may throw a MonitorError: of any code, unless its comment names some. */
export function readsOf(service: Service) {
  const { address } = service

  /**
   * Reads a thing that may not be there. @param answers - Results by status, for statuses that say that it isn't.
   * @returns `off`: MONITOR_OPERATIONS is basic, so nothing was asked; or the service has no such operation.
   */
  async function ask<Found, None>(
    operation: Operation,
    token: string,
    path: string,
    schema: z.ZodType<Found>,
    answers: Readonly<Record<number, None>>,
  ): Promise<Found | None | { readonly kind: 'off' }> {
    if (service.basic) return { kind: 'off' }
    const { status, text } = await read(service, operation, token, path)
    if (status === 200) return parseAs(schema, text)
    if (status === 405) return { kind: 'off' }
    const answer = answers[status]
    if (answer !== undefined) return answer
    // A 400 is about the fields in the path, which are our own, and not about what somebody has typed.
    throw status === 400
      ? new MonitorError('malformed', 'The service does not take these fields.')
      : refusal(status)
  }

  /** Makes the read of a container, or of something in it, by the container's number. */
  const inContainer =
    <Found>(operation: Operation, behind: string, schema: z.ZodType<Found>) =>
    async (token: string, containerId: number) =>
      ask(operation, token, address.container(containerId, behind), schema, none.container)

  const containerAlone = inContainer('container', namedFields, containerSchema)

  return {
    /**
     * @param ks - As typed, not yet escaped; may hold any character.
     * @returns The alert, with its key as the service writes it, which may differ from `ks` in capitals or encoding.
     * @param tries - How many tries at most. Default 4.
     * @throws MonitorError `bad-request` and `refused` also unsent, for a key or token that cannot be sent.
     */
    async readAlert(token: string, ks: string, tries?: number): Promise<Alert> {
      const path = address.alert(ks, '?actions=kind,timestamp,data')
      const { status, text } = await read(service, 'read_alert', token, path, tries)
      if (status !== 200) throw refusal(status)
      const alert = parseAs(alertSchema, text)
      if (!isSameKey(ks, alert.ks)) throw aboutAnother('alert')
      return alert
    },

    /** Reads the open alerts of an asset. @param assetId - Digits. */
    openAlertsOf: (token: string, assetId: string) =>
      ask('asset_alerts', token, address.asset(assetId, alertsPath), openAlertsSchema, none.asset),

    /** Reads an asset. @param assetId - Taken from a link or a webhook, and perhaps made up. */
    async assetOf(token: string, assetId: number) {
      const path = address.asset(`${assetId}`, assetFields)
      const answer = await ask('asset', token, path, assetSchema, none.asset)
      if (answer.kind === 'found' && answer.id !== assetId) throw aboutAnother('asset')
      return answer
    },

    /** Reads the assets of a container that this token may see: there may be more. */
    assetsIn: inContainer('container_assets', `/assets${namedFields}`, assetsSchema),

    openAlertsIn: inContainer('container_alerts', alertsPath, openAlertsSchema),

    /** Reads the people whom this token sees on a container: somebody who isn't listed may be on it all the same. */
    usersOf: inContainer('container_users', `/users${personFields}`, peopleSchema),

    /** Pending invitations to a container, which only a token with CONTAINER_ACCESS sees. */
    invitesTo: inContainer('container_invites', `/invites${inviteFields}`, invitesSchema),

    /** @returns `name` is raw; empty if the container has none. */
    async containerOf(token: string, containerId: number) {
      const answer = await containerAlone(token, containerId)
      if (answer.kind === 'found' && answer.id !== containerId) throw aboutAnother('container')
      return answer
    },

    /**
     * Reads what the token may do on a container: flags, those that the contract doesn't name among them.
     * @returns `unknown`: the service doesn't tell, which says nothing of what the token may do.
     */
    ownPermissions: async (token: string, containerId: number) => {
      const path = address.container(containerId, '/permissions')
      return ask('own_permissions', token, path, ownPermissionsSchema, none.permissions)
    },

    /**
     * Asks whether the service knows a token, by reading a key that cannot exist.
     * @throws MonitorError `refused` (401, or the token cannot be sent), `unreachable`, `malformed` (something else
     * answers: a redirect, a proxy, a page).
     */
    async tryToken(token: string): Promise<TokenTrial> {
      const path = address.alert(impossibleKey, '?fields=ks')
      const answer = await orMonitorError(read(service, 'try_token', token, path))
      if (answer instanceof MonitorError && answer.code === 'busy') return 'untested'
      if (answer instanceof MonitorError) throw answer
      const { status, headers } = answer
      // An answer in HTML comes from some proxy or website.
      const isPage = /html/i.test(String(headers['content-type']))
      if (status === 401) throw refusal(status)
      if (status === 403 && !isPage) return 'forbidden'
      // The key was looked up: a service that doesn’t know the token answers 401 instead.
      if ((status === 400 || status === 404) && !isPage) return 'accepted'
      throw new MonitorError(
        'malformed',
        `Something else than the monitoring service answered (${status}).`,
      )
    },

    /** Asks once, without a token, whether anything answers. Failures of the network or the service are returned. */
    probe: () => service.call(() => probe(service)),
  }
}

/** Thrown for an answer about another thing: a cache that mixes up answers must not show one person another's alert. */
function aboutAnother(what: 'alert' | 'asset' | 'container'): MonitorError {
  return new MonitorError('malformed', `The answer is about another ${what}.`)
}

/** Asks without a token: a service that keeps its contract answers 401 (the API document, “Authentication”). */
async function probe({ agent, address, budgetMs, log, outage }: Service) {
  const path = address.alert(impossibleKey, '?fields=ks')
  const request = { origin: address.origin, method: 'GET', path, headers: plainHeaders() } as const
  const done = timed('probe', log)
  const from = performance.now()
  try {
    const { status } = await exchange(agent, request, { totalMs: budgetMs, wantsBody: () => false })
    done(status)
    outage.ended(status)
    /** From asking to the head of the answer, in milliseconds, connecting included. */
    const tookMs = performance.now() - from
    return { kind: 'answered', status, tookMs } as const
  } catch (error) {
    const failure = silence(error)
    done()
    outage.ended(failure)
    return { kind: 'silent', ...failure } as const
  }
}
