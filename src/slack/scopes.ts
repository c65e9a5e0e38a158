// What the bot token may do, as Slack tells it with every answer, and which features that switches on.
import type { Log } from '../log.ts'
import { type Feature, featureNames, features, lacking } from './features.ts'
import type { Installed } from './installation.ts'
import type { SlackProbe } from './probe.ts'

export interface Scopes {
  /** What Slack said last; undefined where it does not say (a proxy may drop the header), or refuses the token. */
  granted(): Promise<ReadonlySet<string> | undefined>
  /** True as well when it is not known what was granted: then Slack's own refusal tells. */
  isOn(feature: Feature): Promise<boolean>
}

/**
 * Waits for Slack's first answer, and logs what is off then.
 * @returns Also the probe, whose answers `granted` tells from then on.
 */
export function createScopes(slack: {
  readonly probe: SlackProbe
  readonly installed: Pick<Installed, 'installation'>
  readonly log: Log
}): { readonly scopes: Scopes; readonly probe: SlackProbe } {
  const { probe, installed, log } = slack
  let latest: { readonly granted: ReadonlySet<string> | undefined } | undefined

  async function granted(): Promise<ReadonlySet<string> | undefined> {
    if (latest !== undefined) return latest.granted
    try {
      return (await installed.installation()).scopes
    } catch {
      // Slack refuses the token, or the bot stops: told where that is noticed.
      return undefined
    }
  }

  async function warn(): Promise<void> {
    const scopes = await granted()
    const off = scopes === undefined ? [] : featureNames.filter((one) => lacking(one, scopes).length > 0)
    if (scopes === undefined || off.length === 0) return
    const missing = off.map((one) => `${features[one].name}: ${lacking(one, scopes).join(', ')}`)
    log.warn({ missing }, 'some features are off, as the bot token lacks their scopes')
  }
  void warn()

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
        latest = { granted: await probe.scopes() }
        return latest.granted
      },
    },
  }
}
