// Answers over a response_url, which is no method of the Web API.
import { ResponseUrlError, refusalIn, SlackBusyError } from '../client/refusals.ts'
import { addressOf, type Exchange } from '../client/transport.ts'

/** @throws ResponseUrlError, SlackBusyError */
export type PostToUrl = (responseUrl: string, body: object) => Promise<void>

const headers = { 'content-type': 'application/json; charset=utf-8' }

export function createPostToUrl(slack: {
  readonly send: Exchange
  readonly isSlackUrl: (url: string) => boolean
}): PostToUrl {
  const { send, isSlackUrl } = slack
  return async (responseUrl, body) => {
    if (!isSlackUrl(responseUrl)) throw new ResponseUrlError('not_slack')
    const answer = await send(addressOf(responseUrl), headers, JSON.stringify(body)).catch(
      (error: unknown) => {
        throw new ResponseUrlError('no_answer', { cause: error })
      },
    )
    const { status, text } = answer
    if (status === 429) throw new SlackBusyError(Number(answer.headers['retry-after'] ?? 1))
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
