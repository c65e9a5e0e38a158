// Bad days of the stand-in service.
import type { MonitorService } from '../../monitor/start-monitor.ts'
import type { NewToken } from '../../monitor/world.ts'
import { byOrders, byState, type Switch, type Trouble } from './troubles-kinds.ts'

const SLOW_MS = 4_000
const RETRY_AFTER_S = 30
const SHOWN_AFTER_MS = 5_000
const REOPENED_AFTER_MS = 10_000
const reopening = { key: 'same', when: { afterMs: REOPENED_AFTER_MS } } as const

export function troublesOfService(service: MonitorService): readonly Trouble[] {
  const { trouble } = service
  const group = 'The service'
  const untilOff = 'until switched off'
  return [
    {
      ...{ id: 'service-slow', group, lasts: untilOff },
      label: () => `Answers after ${SLOW_MS / 1_000} seconds`,
      hint: () => 'Look up an alert: Slack gets its answer at once, and the card comes late.',
      ...byState((isOn) => trouble.slow(isOn ? SLOW_MS : 0)),
    },
    {
      ...{ id: 'service-down', group, lasts: untilOff },
      label: () => 'Is down',
      hint: () =>
        'Look up an alert, or grant access: nothing answers, and a live card says so after 20 seconds. Requests that don’t arrive aren’t listed.',
      ...byState((isOn) => (isOn ? trouble.down() : trouble.up())),
    },
    {
      ...{ id: 'service-rate-limited', group, lasts: untilOff },
      label: () => 'Answers “too many requests”',
      hint: () => `Look up an alert: the service answers 429 and asks to wait ${RETRY_AFTER_S} seconds.`,
      ...byOrders(() => [trouble.rateLimit({ retryAfterSeconds: RETRY_AFTER_S })]),
    },
    {
      ...{ id: 'service-cuts-grant', group, lasts: 'once' },
      label: () => 'Cuts the connection in the middle of the next grant',
      hint: () =>
        'Grant access: the service grants it, but its answer gets lost. Bellhop looks who is there.',
      ...byOrders(() => [trouble.cut({ when: 'after-effect', only: 'POST', times: 1 })]),
    },
    {
      ...{ id: 'service-malformed', group, lasts: untilOff },
      label: () => 'Answers something else than its contract says',
      hint: () => 'Look up an alert: its severity is a word instead of a number.',
      ...byOrders(() => [trouble.malformed('wrong-type')]),
    },
    {
      ...{ id: 'service-token-revoked', group, lasts: untilOff },
      label: ({ person }) => `${person.member.realName}’s token is revoked`,
      hint: ({ person }) =>
        `Look up an alert as ${person.member.realName}, whose account was connected before.`,
      ...revocation(service),
    },
    ...troublesOfGaps(service),
  ]
}

/** Ways of the service that its documentation leaves open, the hard one of each. */
function troublesOfGaps(service: MonitorService): readonly Trouble[] {
  const group = 'The service'
  const untilOff = 'until switched off'
  const usual = service.ways
  return [
    {
      ...{ id: 'service-hides-people', group, lasts: untilOff },
      label: () => 'Hides people who aren’t members of a container',
      hint: () =>
        'Cut a grant’s connection too, with Member unticked: Bellhop can’t see whether the person got access.',
      ...byState((isOn) => service.behaves({ people: isOn ? 'members' : usual.people })),
    },
    {
      ...{ id: 'service-shows-later', group, lasts: untilOff },
      label: () => `Shows what was written only after ${SHOWN_AFTER_MS / 1_000} seconds`,
      hint: () =>
        'Change an alert, or grant access: it is done, but whoever looks at once doesn’t see it yet.',
      ...byState((isOn) => service.behaves({ visible: isOn ? { ms: SHOWN_AFTER_MS } : usual.visible })),
    },
    {
      ...{ id: 'service-reopens', group, lasts: untilOff },
      label: () => 'Opens alerts again that were closed too early',
      hint: () =>
        `Close an alert: its trouble is still there, so the service opens it again after ${REOPENED_AFTER_MS / 1_000} seconds and assigns it to you.`,
      ...byState((isOn) => service.behaves({ reopens: isOn ? reopening : usual.reopens })),
    },
    {
      ...{ id: 'service-ceiling', group, lasts: untilOff },
      label: () => 'Refuses flags that people don’t have themselves',
      hint: () => 'Grant a flag that Alice Archer doesn’t have, such as BILLING: the service answers 403.',
      ...byState((isOn) => service.behaves({ ceiling: isOn ? 403 : usual.ceiling })),
    },
  ]
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
