// Slack's reference of its methods, cut to what the stand-in imitates: an argument that is not named here is refused, and
// where Slack takes one of two, the one that is known here is required. Source: slack-methods.json, from slack-api-ref
// (its licence stands beside), which lacks the scope of apps.connections.open.
import methods from './slack-methods.json' with { type: 'json' }

export interface Method {
  /** Scopes of which one is needed. Empty when none is. */
  readonly scopes: readonly string[]
  /** Of Slack's rate limits. */
  readonly tier: number
  readonly required: readonly string[]
  readonly optional: readonly string[]
}

export const reference: ReadonlyMap<string, Method> = new Map(Object.entries(methods))
