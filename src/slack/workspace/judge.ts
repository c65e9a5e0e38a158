// Asks Slack itself whether it takes blocks and views, without posting anything.
// Source: docs.slack.dev/reference/methods/blocks.validate (any bot token, no scope, one at a time).
import { WebAPIPlatformError, type WebClient } from '@slack/web-api'
import { z } from 'zod'
import { complaintsOf, refusalOf } from '../client/refusals.ts'

/** Block Kit as it would be sent. */
export type Judged =
  | { readonly message: { readonly blocks: readonly unknown[] } }
  | { readonly view: unknown }

export interface Judge {
  /**
   * What Slack would refuse, in its words, each with a pointer; empty when it takes it. One attempt.
   * @throws What `refusals.ts` sorts; `unknown_method` where this Slack does not judge.
   */
  complaintsAbout(judged: Judged): Promise<readonly string[]>
}

// `invalid_arguments` too: Slack says it of views that are wrong where they are sent.
const refused = new Set(['invalid_blocks', 'invalid_message', 'invalid_view', 'invalid_arguments'])

const complaint = z.union([
  z.string(),
  z
    .object({ message: z.string(), pointer: z.string().default('') })
    .transform(({ message, pointer }) => (pointer === '' ? message : `${message} [${pointer}]`)),
])
const detailed = z.object({ errors: z.array(complaint).min(1) })

export function createJudge(web: () => Promise<WebClient>): Judge {
  return {
    async complaintsAbout(judged) {
      try {
        await (await web()).apiCall('blocks.validate', { ...judged })
        return []
      } catch (error) {
        const refusal = refusalOf(error)
        if (refusal === undefined || !refused.has(refusal)) throw error
        const said = error instanceof WebAPIPlatformError ? detailed.safeParse(error.data).data : undefined
        const complaints = said?.errors ?? complaintsOf(error)
        return complaints.length === 0 ? [refusal] : complaints
      }
    },
  }
}
