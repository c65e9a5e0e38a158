// Answers over a response_url, which is no method of the Web API.
import type { FetchFunction } from '@slack/web-api'
import { ResponseUrlError, SlackBusyError } from './refusals.ts'

/** @throws ResponseUrlError, SlackBusyError */
export type PostToUrl = (responseUrl: string, body: object) => Promise<void>

export function createPostToUrl(slack: {
  readonly fetch: FetchFunction
  readonly isSlackUrl: (url: string) => boolean
}): PostToUrl {
  async function askSlack(responseUrl: string, body: string) {
    try {
      const headers = { 'content-type': 'application/json; charset=utf-8' }
      const response = await slack.fetch(responseUrl, { method: 'POST', headers, body })
      return { response, text: await response.text() }
    } catch (error) {
      throw new ResponseUrlError('no_answer', { cause: error })
    }
  }

  return async (responseUrl, body) => {
    if (!slack.isSlackUrl(responseUrl)) throw new ResponseUrlError('not_slack')
    const { response, text } = await askSlack(responseUrl, JSON.stringify(body))
    if (response.status === 429) throw new SlackBusyError(Number(response.headers.get('retry-after') ?? 1))
    if (!response.ok) throw new ResponseUrlError(reasonIn(text) ?? `status_${response.status}`)
    const reason = reasonIn(text)
    if (reason !== undefined) throw new ResponseUrlError(reason)
  }
}

/** Slack answers with `ok`, or JSON that names an error. */
function reasonIn(text: string): string | undefined {
  const match = /"error"\s*:\s*"([a-z_]+)"/.exec(text)
  if (match) return match[1]
  return /^[a-z]+(_[a-z]+)+$/.test(text.trim()) ? text.trim() : undefined
}
