// Bad days of the stand-in service.

import type { Monitored } from '../../monitor/modes.ts'
import type { Seed } from '../../monitor/seed/seed.ts'
import { planned } from '../../monitor/seed/seed-assets.ts'
import type { MonitorService } from '../../monitor/start-monitor.ts'
import type { NewToken } from '../../monitor/world.ts'
import { byOrders, byState, type Switch, type Trouble } from './troubles-kinds.ts'

const SLOW_MS = 4_000
const RETRY_AFTER_S = 30
/** Every other look of a channel that follows, as `bot-settings.ts` has them. */
const FLAP_MS = 4_000
const FLAPS = 6

export function troublesOfService(service: MonitorService, seed: Seed): readonly Trouble[] {
  const { trouble } = service
  const group = 'The service'
  const untilOff = 'until switched off'
  return [
    {
      id: 'service-slow',
      group,
      lasts: untilOff,
      label: () => `Answers after ${SLOW_MS / 1_000} seconds`,
      hint: () => 'Look up an alert: Slack gets its answer at once, and the card comes late.',
      ...byState((isOn) => trouble.slow(isOn ? SLOW_MS : 0)),
    },
    {
      id: 'service-down',
      group,
      lasts: untilOff,
      label: () => 'Is down',
      hint: () =>
        'Look up an alert, or grant access: nothing answers, and a live card says so after 20 seconds. Requests that don’t arrive aren’t listed.',
      ...byState((isOn) => (isOn ? trouble.down() : trouble.up())),
    },
    {
      id: 'service-rate-limited',
      group,
      lasts: untilOff,
      label: () => 'Answers “too many requests”',
      hint: () =>
        `Look up an alert: the service answers 429 and asks to wait ${RETRY_AFTER_S} seconds.`,
      ...byOrders(() => [trouble.rateLimit({ retryAfterSeconds: RETRY_AFTER_S })]),
    },
    {
      id: 'service-cuts-grant',
      group,
      lasts: 'once',
      label: () => 'Cuts the connection in the middle of the next grant',
      hint: () =>
        'Grant access: the service grants it, but its answer gets lost. Bellhop looks who is there.',
      ...byOrders(() => [trouble.cut({ when: 'after-effect', only: 'POST', times: 1 })]),
    },
    {
      id: 'service-token-revoked',
      group,
      lasts: untilOff,
      label: ({ person }) => `${person.member.realName}’s token is revoked`,
      hint: ({ person }) =>
        `Look up an alert as ${person.member.realName}, whose account was connected before; a channel that follows a container with that account loses it.`,
      ...revocation(service),
    },
    {
      id: 'service-flaps',
      group,
      lasts: 'once',
      label: () => 'Flap',
      hint: () =>
        'Follow container 12 in a channel: a new alert comes, closes and opens again, every few seconds.',
      ...byOrders(() =>
        seed.opens(1).map((ks) => service.flap(ks, { times: FLAPS, everyMs: FLAP_MS })),
      ),
    },
    {
      id: 'service-maintenance',
      group,
      lasts: untilOff,
      label: () => `Somebody puts ${planned.name} in maintenance, without an end`,
      hint: () =>
        `Type /alert maintenance 12: monitoring doesn’t say until when. What you began before doesn’t end by itself then. Switched off, ${planned.name} is monitored again.`,
      ...maintenanceOf(service, `asset/${planned.id}`),
    },
  ]
}

/** Set at the service itself. One that was set from Slack, with its end, is not this one. */
function maintenanceOf(service: MonitorService, machine: Monitored): Switch {
  return {
    isOn() {
      const { mode, endsAt } = service.modeOf(machine)
      return mode === 'maintenance' && endsAt === undefined
    },
    set: (isOn) => service.setMode(machine, { mode: isOn ? 'maintenance' : 'normal' }),
  }
}

function revocation(service: MonitorService): Switch {
  const revoked = new Map<string, NewToken>()
  return {
    isOn: ({ demoToken }) => revoked.has(demoToken),
    set(isOn, { demoToken }) {
      const held = isOn ? service.revoke(demoToken) : revoked.get(demoToken)
      if (!held) return
      if (isOn) revoked.set(demoToken, held)
      else {
        revoked.delete(demoToken)
        service.addToken(held)
      }
    },
  }
}
