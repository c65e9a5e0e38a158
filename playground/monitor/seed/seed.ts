// A lively set of alerts, containers, users and tokens for the playground, and events that move it on.

import type { MonitorService } from '../start-monitor.ts'
import { edgeCases } from './edge-cases.ts'
import { believableAlerts, newAlert } from './seed-alerts.ts'
import { placeOf, placeOfNew, seedAssets } from './seed-assets.ts'
import { addPeople, addTokens } from './seed-people.ts'
import { type AlertEvent, type Happened, Story } from './story.ts'

export interface Seed {
  /** Keys of those that nobody would believe. */
  readonly edgeCases: ReadonlySet<string>
  /**
   * Moves an alert on.
   * @returns Undefined when there is no such alert, or when that cannot happen to it now.
   */
  happens(ks: string, event?: AlertEvent | 'next'): Happened | undefined
  /** Opens so many new alerts in container 12, unless a mode keeps some from being opened. @returns Their keys. */
  opens(count: number): readonly string[]
  /** Makes alerts, containers and users what they were at the start, their times included. Tokens stay as they are. */
  reset(): void
}

/** @param now - Milliseconds since 1970; the alerts lie before it. Default the present. */
export function seed(service: MonitorService, now: number = Date.now()): Seed {
  addTokens(service)
  const seconds = Math.floor(now / 1_000)
  const [believable, odd] = [believableAlerts(seconds), edgeCases(seconds)]
  const alerts = [...believable, ...odd].map((alert) => ({ ...alert, ...placeOf(alert.ks) }))
  const stories = new Map<string, Story>()
  let opened = 0
  const fill = () => {
    addPeople(service)
    for (const { id, asset } of seedAssets) service.addAsset(id, asset)
    stories.clear()
    for (const alert of alerts) stories.set(alert.ks, new Story(service.addAlert(alert), service))
  }
  fill()
  /** Alerts that were added since, by the service too, have one as well. */
  const storyOf = (ks: string) => {
    const alert = stories.has(ks) ? undefined : service.alert(ks)
    if (alert !== undefined) stories.set(ks, new Story(alert, service))
    return stories.get(ks)
  }
  return {
    edgeCases: new Set(odd.map(({ ks }) => ks)),
    opens: (count) =>
      Array.from({ length: count }, () => {
        opened += 1
        return service.detect({ ...newAlert(opened), ...placeOfNew(opened) })?.ks
      }).filter((ks) => ks !== undefined),
    happens: (ks, event = 'next') => storyOf(ks)?.happens(event),
    reset() {
      service.empty()
      fill()
    },
  }
}
