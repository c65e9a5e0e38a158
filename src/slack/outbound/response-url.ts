// Answers over the `response_url` of a command or press: in its ack, where one is held for the answer, else posted there.
import type { KnownBlock } from '@slack/types'
import { idNow, requestNow } from '../../log/request.ts'
import { inTime } from '../../work/under-way.ts'
import { ResponseUrlError, refusalIn, SlackBusyError } from '../client/refusals.ts'
import type { Transport } from '../client/transport.ts'

/** Slack waits three seconds, the way there and back included. */
const longestHoldMs = 1_000

/**
 * Answers commands in Slack’s own exchange: an ack waits a moment for the answer, and the person waits for one way less.
 * Source: docs.slack.dev/interactivity/implementing-slash-commands, “Sending an immediate response”.
 */
export interface HeldAcks {
  /**
   * Runs `work`, and acks with the private answer it gives through this URL within a second, else with nothing. Resolves
   * when the work is done, and throws what it throws.
   */
  during(responseUrl: string, ack: Ack, work: () => Promise<void>): Promise<void>
  /** Acks the held command that this is called for, with nothing: its answer takes longer than was thought. */
  ackNow(): void
  /** Posts what no ack takes. */
  readonly postTo: PostToUrl
}

/** Without an answer, Slack shows nothing. */
export type Ack = (answer?: AckAnswer) => Promise<void>

interface AckAnswer {
  readonly response_type: 'ephemeral'
  readonly text: string
  readonly blocks: KnownBlock[]
}

export function createHeldAcks(post: PostToUrl): HeldAcks {
  const held = new Map<string, Ack>()
  const ofRequest = new Map<string | undefined, Ack>()

  return {
    async during(responseUrl, ack, work) {
      let acked: Promise<void> | undefined
      const ackOnce: Ack = (answer) => {
        if (acked !== undefined) return acked
        // Of a command that is delivered twice, the other one may hold it.
        if (held.get(responseUrl) === ackOnce) held.delete(responseUrl)
        acked = answer === undefined ? ack() : ack(answer)
        return acked
      }
      // Slack delivers a command again under the same address: the first one has it.
      if (held.has(responseUrl)) await ackOnce()
      else held.set(responseUrl, ackOnce)
      const id = idNow()
      ofRequest.set(id, ackOnce)
      const working = work()
      try {
        await inTime(Promise.allSettled([working]), longestHoldMs)
        await ackOnce()
      } finally {
        ofRequest.delete(id)
        await working
      }
    },
    ackNow() {
      // `during` hears of it when that fails.
      ofRequest
        .get(idNow())?.()
        .catch(() => undefined)
    },
    async postTo(responseUrl, body) {
      const ack = held.get(responseUrl)
      if (ack === undefined || !isForAck(body)) return post(responseUrl, body)
      const { response_type, text, blocks } = body
      await ack({ response_type, text, blocks })
      if (requestNow()?.isAckLost) await post(responseUrl, body)
    },
  }
}

/** An ack shows the asker something new; it replaces nothing, and leads into no thread. */
function isForAck(body: ResponseBody): body is ResponseMessage & { readonly response_type: 'ephemeral' } {
  return (
    'text' in body &&
    body.response_type === 'ephemeral' &&
    !body.replace_original &&
    body.thread_ts === undefined
  )
}

/** An answer over a response_url, which is no method of the Web API. @throws ResponseUrlError, SlackBusyError */
export type PostToUrl = (responseUrl: string, body: ResponseBody) => Promise<void>

/** Source: docs.slack.dev/interactivity/handling-user-interaction, “Message responses”. */
export interface ResponseMessage {
  readonly response_type: 'in_channel' | 'ephemeral'
  readonly replace_original: boolean
  readonly text: string
  readonly blocks: KnownBlock[]
  readonly unfurl_links: boolean
  readonly unfurl_media: boolean
  readonly thread_ts?: string
}

export type ResponseBody = ResponseMessage | { readonly delete_original: true }

const headers = { 'content-type': 'application/json; charset=utf-8' }

export function createPostToUrl(slack: {
  readonly fetch: Transport['fetch']
  readonly isSlackUrl: (url: string) => boolean
}): PostToUrl {
  const { fetch, isSlackUrl } = slack
  return async (responseUrl, body) => {
    if (!isSlackUrl(responseUrl)) throw new ResponseUrlError('not_slack')
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(responseUrl, request).catch((error: unknown) => {
      throw new ResponseUrlError('no_answer', { cause: error })
    })
    const { status } = answer
    const text = await answer.text()
    if (status === 429) throw new SlackBusyError(Number(answer.headers.get('retry-after') ?? 1))
    const reason = refusalIn(text)
    if (reason !== undefined) throw new ResponseUrlError(reason)
    if (status < 200 || status >= 300) throw new ResponseUrlError(`status_${status}`)
  }
}

/**
 * Knows addresses of Slack's own: what a payload names is only ever answered there.
 * @param apiUrl - Base address of the Web API; where it is not Slack's (tests, proxies), its origin counts too.
 * Source: docs.slack.dev/interactivity/handling-user-interaction (response_url is on hooks.slack.com).
 */
export function slackUrls(apiUrl: string): (url: string) => boolean {
  const { origin } = new URL(apiUrl)
  return (url) => {
    const parsed = URL.parse(url)
    if (parsed === null) return false
    if (parsed.origin === origin) return true
    return parsed.protocol === 'https:' && /(^|\.)slack(-gov)?\.com$/.test(parsed.hostname)
  }
}
