// Questions to Slack about the bot itself: its token, its channels, whether Slack takes its messages or its manifest. One
// attempt each; all but the last throw what `refusals.ts` sorts.

import { WebAPIPlatformError, WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { HttpsProxy } from '../../http/agent.ts'
import type { Log } from '../../log/log.ts'
import { classify, complaintsOf } from '../client/refusals.ts'
import { createTransport } from '../client/transport.ts'
import { clientOptionsFor } from '../client/web-client.ts'
import { scopesIn } from './installation.ts'

/** `hidden`: a private channel that the bot is not in, or none at all. `unknown`: the scope to ask is missing. */
export type Presence = 'member' | 'not-member' | 'hidden' | 'unknown'

export interface SlackProbe extends Judge {
  /** What the bot token may do, as Slack says it now; undefined when it does not say. */
  scopes(): Promise<ReadonlySet<string> | undefined>
  /** Whether the bot is in a channel. */
  presence(channelId: string): Promise<Presence>
}

/** @param onScopes - Told what Slack says of them. */
export function createSlackProbe(
  web: () => Promise<WebClient>,
  onScopes: (granted: ReadonlySet<string> | undefined) => void = () => undefined,
): SlackProbe {
  return {
    ...createJudge(web),
    async scopes() {
      const granted = scopesIn(await (await web()).auth.test())
      onScopes(granted)
      return granted
    },
    async presence(channelId) {
      try {
        const { channel } = await (await web()).conversations.info({ channel: channelId })
        return channel?.is_member ? 'member' : 'not-member'
      } catch (error) {
        const refusal = classify(error).word
        if (refusal === 'channel_not_found') return 'hidden'
        if (refusal === 'missing_scope') return 'unknown'
        throw error
      }
    },
  }
}

/** Whether Slack takes the bot's token still. Throws where it does not say. */
export async function isTokenGood(probe: Pick<SlackProbe, 'scopes'>): Promise<boolean> {
  try {
    await probe.scopes()
    return true
  } catch (error) {
    if (classify(error).kind !== 'token') throw error
    return false
  }
}

export interface OpenProbe extends SlackProbe {
  /** Asks for a socket and opens none. @param appToken - Of the app, not of the bot. */
  offersSocket(appToken: string): Promise<void>
  close(): Promise<void>
}

/** Asks Slack about the bot where no bot runs. @param slack.apiUrl - Ends with a slash. */
export function openSlackProbe(slack: {
  readonly botToken: string | undefined
  readonly apiUrl: string
  readonly proxy: HttpsProxy | undefined
  readonly log: Log
}): OpenProbe {
  const transport = createTransport(slack.proxy)
  const options = clientOptionsFor(slack.apiUrl, transport.fetch, slack.log)
  const web = new WebClient(slack.botToken, options)
  return {
    ...createSlackProbe(async () => web),
    async offersSocket(appToken) {
      // Given as an argument, the token would be a field of the form as well, and Slack refuses that
      // (slackapi/node-slack-sdk#1498).
      await new WebClient(appToken, options).apps.connections.open()
    },
    close: () => transport.destroy(),
  }
}

/** Block Kit as it would be sent. */
export type Judged =
  | { readonly message: { readonly blocks: readonly unknown[] } }
  | { readonly view: unknown }

/**
 * Asks Slack itself whether it takes blocks and views, without posting anything.
 * Source: docs.slack.dev/reference/methods/blocks.validate (any bot token, no scope, one at a time).
 */
export interface Judge {
  /**
   * What Slack would refuse, in its words, each with a pointer; empty when it takes it. One attempt.
   * @throws What `refusals.ts` sorts; `unknown_method` where this Slack does not judge.
   */
  complaintsAbout(judged: Judged): Promise<readonly string[]>
}

// `invalid_arguments` too: Slack says it of views that are wrong where they are sent.
const refusedBlocks = new Set(['invalid_blocks', 'invalid_message', 'invalid_view', 'invalid_arguments'])

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
        const refusal = classify(error).word
        if (refusal === undefined || !refusedBlocks.has(refusal)) throw error
        const said = error instanceof WebAPIPlatformError ? detailed.safeParse(error.data).data : undefined
        const complaints = said?.errors ?? complaintsOf(error)
        return complaints.length === 0 ? [refusal] : complaints
      }
    },
  }
}

/** One thing that Slack finds wrong. Raw: Slack's words. */
export interface Complaint {
  readonly message: string
  /** As in `/settings/interactivity`; empty where Slack names no place. */
  readonly pointer: string
}

export type ManifestVerdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly complaints: readonly Complaint[] }
  /** In Slack's own word, as in `token_expired`. */
  | { readonly kind: 'bad-token'; readonly why: string }
  /** Slack's word for why it did not look; undefined where it did not answer. */
  | { readonly kind: 'no-verdict'; readonly why: string | undefined }

const refusedManifest = z.object({
  errors: z.array(z.object({ message: z.string().default(''), pointer: z.string().default('') })).catch([]),
})

/**
 * Asks Slack's own validator about a manifest, with the configuration token of a person, where no bot runs.
 * @param asked.manifest - As JSON.
 * @param asked.apiUrl - Ends with a slash.
 * Source: docs.slack.dev/reference/methods/apps.manifest.validate.
 */
export async function validateManifest(asked: {
  readonly manifest: string
  readonly configToken: string
  readonly apiUrl: string
  readonly proxy: HttpsProxy | undefined
  readonly log: Log
}): Promise<ManifestVerdict> {
  const transport = createTransport(asked.proxy)
  const web = new WebClient(asked.configToken, clientOptionsFor(asked.apiUrl, transport.fetch, asked.log))
  try {
    await web.apiCall('apps.manifest.validate', { manifest: asked.manifest })
    return { kind: 'accepted' }
  } catch (error) {
    if (classify(error).kind === 'defect') throw error
    return verdictOf(error)
  } finally {
    await transport.destroy()
  }
}

function verdictOf(error: unknown): ManifestVerdict {
  const failure = classify(error)
  const { word: why } = failure
  if (error instanceof WebAPIPlatformError && (why === 'invalid_manifest' || why === 'invalid_app')) {
    return { kind: 'refused', complaints: refusedManifest.parse(error.data).errors }
  }
  return failure.kind === 'token' ? { kind: 'bad-token', why: failure.word } : { kind: 'no-verdict', why }
}
