// What the bot token may do, as Slack tells it with every answer, and which features that switches on.
import type { Log } from '../../log/log.ts'
import { type Feature, featureNames, features, lacking } from './features.ts'
import type { SlackProbe } from './probe.ts'

export interface Scopes {
  /** What Slack said last; undefined where it does not say (a proxy may drop the header), or refuses the token. */
  granted(): Promise<ReadonlySet<string> | undefined>
  /** True as well when it is not known what was granted: then Slack's own refusal tells. */
  isOn(feature: Feature): Promise<boolean>
}

/** What Slack said last, by workspace; kept for as long as it is asked for. */
export interface ScopesKept {
  get(workspaceId: string): { readonly granted: ReadonlySet<string> | undefined } | undefined
  set(workspaceId: string, said: { readonly granted: ReadonlySet<string> | undefined }): unknown
}

/**
 * @param slack.atFirst - Of the installation, as it is kept.
 * @returns Also the probe, whose answers `granted` tells from then on.
 */
export function createScopes(slack: {
  readonly workspaceId: string
  readonly probe: SlackProbe
  readonly atFirst: () => Promise<ReadonlySet<string> | undefined>
  readonly kept: ScopesKept
}): { readonly scopes: Scopes; readonly probe: SlackProbe } {
  const { workspaceId, probe, atFirst, kept } = slack

  async function granted(): Promise<ReadonlySet<string> | undefined> {
    const latest = kept.get(workspaceId)
    if (latest !== undefined) return latest.granted
    try {
      return await atFirst()
    } catch {
      // Slack refuses the token, or the bot stops: told where that is noticed.
      return undefined
    }
  }

  return {
    scopes: {
      granted,
      async isOn(feature) {
        const scopes = await granted()
        return scopes === undefined || lacking(feature, scopes).length === 0
      },
    },
    probe: {
      ...probe,
      async scopes() {
        const said = { granted: await probe.scopes() }
        kept.set(workspaceId, said)
        return said.granted
      },
    },
  }
}

/** Logs what is off. */
export function warnOfMissing(scopes: ReadonlySet<string> | undefined, log: Log): void {
  const off = scopes === undefined ? [] : featureNames.filter((one) => lacking(one, scopes).length > 0)
  if (scopes === undefined || off.length === 0) return
  const missing = off.map((one) => `${features[one].name}: ${lacking(one, scopes).join(', ')}`)
  log.warn({ missing }, 'some features are off, as the bot token lacks their scopes')
}
