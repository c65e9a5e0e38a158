// Asks Slack's own validator about a manifest, with the configuration token of a person, where no bot runs.
import { WebAPIPlatformError, WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { HttpsProxy } from '../../http/proxy.ts'
import type { Log } from '../../log/log.ts'
import { classify } from '../client/refusals.ts'
import { createTransport } from '../client/transport.ts'
import { clientOptionsFor } from '../client/web-client.ts'

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

const refused = z.object({
  errors: z.array(z.object({ message: z.string().default(''), pointer: z.string().default('') })).catch([]),
})

/**
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
    return { kind: 'refused', complaints: refused.parse(error.data).errors }
  }
  return failure.kind === 'token' ? { kind: 'bad-token', why: failure.word } : { kind: 'no-verdict', why }
}
