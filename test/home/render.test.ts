// The Home tab at its fullest.

import { describe, expect, it } from 'vitest'
import { viewErrors } from '../../playground/slack/check/view.ts'
import { newTally } from '../../src/alert/tally.ts'
import { defaultRoles, flags } from '../../src/grant/roles.ts'
import {
  alertBlocks,
  listBlocks,
  openBlocks,
  renderHome,
  requestBlocks,
} from '../../src/home/render.ts'
import { runningEnd } from '../ends/sample.ts'

const at = 1_768_520_530_000
const long = '<!channel> & *bold* | `code` '.repeat(100)
const link = `https://example.slack.com/archives/C0ONCALL/p1768520530000000?thread_ts=1.2&cid=${'C'.repeat(20)}`
const webLink = `https://monitor.example.com/alert/${'%3C'.repeat(660)}`
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const alert = {
  ks: long,
  message: long,
  severity: 1,
  timestamp: 1,
  lastMessage: long,
  lastSeverity: 1,
  lastTimestamp: 1,
  ownerId: null,
  closedTimestamp: null,
  actions: [],
}
const settings = {
  roles: defaultRoles,
  severityNames: [],
  alertUrl: undefined,
  hasAllOperations: true,
  watch: { intervalMs: 30_000 },
  follow: { intervalMs: 60_000 },
  publicUrl: link,
}
const requests = times(30, (index) => ({
  askedAt: at,
  words: long,
  ...(index % 2 === 0 && { until: at, link }),
}))
const open = {
  container: long,
  containerId: 12,
  alerts: times(30, () => alert),
  people: {},
  assets: new Map<string, string>(),
  asOf: 1,
}
const live = times(20, (index) => ({
  id: `c${index}`,
  ks: long,
  posted: { channelId: 'C0123456789', ts: '1' },
  until: at,
  shown: { alert, asOf: 1, fingerprint: '' },
  link,
}))
const follows = times(30, (index) => ({
  workspaceId: 'T1',
  id: `f${index}`,
  channelId: 'C0123456789',
  containerId: 12,
  container: long,
  carrier: { workspaceId: 'T1', userId: 'U1', name: long },
  least: 7,
  readAt: at,
  failures: 0,
  ownMessage: { posted: { channelId: 'C0123456789', ts: '1' }, fingerprint: '', drawnAt: at },
  lists: [],
  seen: {},
  cardsAt: [],
  forgotten: {},
  tally: newTally(at),
  holder: '',
  heldUntil: 0,
  dueAt: null,
}))
const whom = { email: `${'e'.repeat(250)}@x` }
const end = { ...runningEnd, id: 'r'.repeat(80), whom, flags: [...flags], member: true, endsAt: at }
const due = times(30, () => ({ end, container: long, may: 'extend' as const }))
const looked = { at, ks: 'k'.repeat(2000), title: long, told: ['now 2'], cardLink: link, webLink }
const nothing = {
  since: at,
  ends: 0,
  link: undefined,
  lists: {},
  takesLinks: true,
  asOf: at / 1000,
}

describe('the Home tab', () => {
  it.each([long, 'x'])('fits what Slack takes, however much there is to show (%#)', (container) => {
    const home = renderHome({
      since: at,
      ends: 1_000,
      link: { name: long, userId: 7 },
      lists: {
        ...openBlocks(settings, open, 7),
        'Waiting for you': requestBlocks(requests),
        'Your requests': requestBlocks(requests),
        ...listBlocks(settings, {
          due: due.map((one) => ({
            ...one,
            container,
            end: { ...end, whom: { email: 'd@x.com' } },
          })),
          live,
          follows: follows.map((one) => ({
            ...one,
            container,
            carrier: { ...one.carrier, name: container },
          })),
        }),
        'Recent alerts': alertBlocks(
          settings,
          times(5, () => looked),
        ),
      },
      takesLinks: true,
      asOf: at / 1000,
    })

    expect(viewErrors(home, 'home')).toEqual([])
    expect(home.blocks.length).toBeLessThanOrEqual(100)
    // Rich text shows what stands in it; nothing else may hold what would ping somebody.
    const texts = JSON.stringify(home.blocks).match(/\{"type":"mrkdwn"[^}]*\}/g) ?? []
    expect(texts.length).toBeGreaterThan(5)
    expect(texts.join()).not.toContain('<!channel>')
  })

  it('has no list without lines', () => {
    expect(JSON.stringify(renderHome({ ...nothing, lists: { Live: [] } }))).not.toContain('Live')
  })

  it('shows a title of an alert as it is', () => {
    const alert = { at, ks: 'k', title: '> *two*', told: [], cardLink: link, webLink }
    const [, title] = alertBlocks(settings, [alert])
    expect(title).toMatchObject({ text: { type: 'plain_text', text: '> *two*' } })
  })
})
