// All blocks of a message together: Slack refuses what is too much, without saying by how much.
import { describe, expect, it } from 'vitest'
import { blockErrors } from '../../playground/slack/check/blocks.ts'
import { limits, sizeOf } from '../../playground/slack/check/limits.ts'
import { renderCard, renderInOneMessage, renderUnfurl } from '../../src/alert/render/card.ts'
import { renderHistory, renderNews } from '../../src/alert/render/history.ts'
import { renderConclusion, renderRequest } from '../../src/approval/render.ts'
import type { Finding } from '../../src/doctor/check.ts'
import { renderExamined } from '../../src/doctor/render.ts'
import { renderAlerts } from '../../src/follow/render.ts'
import type { Access, Result } from '../../src/grant/access.ts'
import { renderProblems } from '../../src/grant/render/help.ts'
import {
  lateNote,
  originWords,
  renderQuestion,
  renderReceipt,
  renderShared,
} from '../../src/grant/render/receipt.ts'
import { cautions } from '../../src/grant/render/words.ts'
import { defaultRoles, flags } from '../../src/grant/roles.ts'
import { renderWatches } from '../../src/live/render.ts'
import type { Alert } from '../../src/monitor/schema.ts'
import type { SendOutcome } from '../../src/send/outcome.ts'
import type { Message } from '../../src/slack/outbound/message.ts'
import { approved, ended, request } from '../approval/sample.ts'
import { long, many } from './long.ts'

const settings = {
  severityNames: many(8, (at) => `${at}${long(30)}`),
  alertUrl: `https://m.example/${long(200)}/{ks}`,
  hasAllOperations: true,
  watch: { intervalMs: 30_000 },
}
const alert: Alert = {
  ks: long(200),
  message: long(600),
  severity: 4,
  timestamp: 1_700_000_000,
  lastMessage: long(2500),
  lastSeverity: 2,
  lastTimestamp: 1_700_000_500,
  ownerId: 7,
  closedTimestamp: 1_700_001_000,
  actions: many(40, (at) => ({
    kind: long(160),
    timestamp: 1_700_000_000 + at,
    data: { userId: 7, ownerId: 7, message: long(600) },
  })),
}
const names = { people: { 7: long(500) }, container: { id: 999_999_999, name: long(500) } }
const view = {
  id: long(36),
  alert,
  askerName: long(80),
  refresherName: long(80),
  asOf: 1_700_000_000,
  isPrivate: false,
  channelId: 'C1',
  live: { names: many(4, () => long(40)), until: 1_700_000_000_000 },
  isOverdue: true,
  names,
}

const emails = many(20, (at) => `${at + 10}${long(240)}@example.com`)
const wish: Access = {
  kind: 'add-user',
  containerId: 999_999_999,
  people: emails.map((email) => ({ email })),
  authProvider: long(60),
  member: true,
  permissions: flags,
}
const outcomes: readonly SendOutcome[] = [
  { kind: 'uncertain', cause: 'connection-lost' },
  { kind: 'not-done', code: 'bad-request' },
  { kind: 'not-done', code: 'busy' },
  { kind: 'not-sent' },
]
const people: readonly Result[] = emails.map((email, at) => ({
  email,
  outcome: outcomes[at % outcomes.length] ?? { kind: 'done' },
}))
const origins = emails.map((email) => ({ userId: 'U1', email, name: long(80), isGuest: true }))
const reasons = [...origins.map(originWords), ...cautions(wish, defaultRoles)]
const reader = { roles: defaultRoles, container: long(120) }
const notes = {
  canShare: true,
  canLook: true,
  isRestOpen: true,
  line: long(1_000),
  notes: [lateNote],
}

const asked = request(wish, { askerName: long(80), reason: long(1000) })
const mention = many(10, (at) => `S0${at}${'A'.repeat(18)}`)
const granted = ended(approved(asked, long(80)), people)

const findings: readonly Finding[] = many(20, (at) => ({
  name: `Check ${at}`,
  state: at % 3 === 0 ? 'green' : 'red',
  found: long(500),
  ...(at % 3 === 0 ? {} : { mend: long(500) }),
}))

const watches = many(20, (at) => ({
  id: `${at}${long(36)}`,
  ks: long(80),
  posted: { channelId: 'C0123456789', ts: '1' },
  until: 1_700_000_000_000,
  shown: { alert, asOf: 1, isOverdue: false, fingerprint: '' },
  link: `https://${long(30)}.slack.com/archives/C0123456789/p1700000000000000?thread_ts=1.2&cid=${long(11)}`,
}))

describe('the longest message of each kind', () => {
  const rows: readonly (readonly [string, () => Message])[] = [
    [
      'what is wrong with a line',
      () =>
        renderProblems(
          many(300, (at) => `“${long(60)}${at}” isn’t a flag or a role.`),
          long(12_000),
        ),
    ],
    [
      'a line of what no keyboard types',
      () => renderProblems(['It is no line.'], '\0'.repeat(12_000)),
    ],
    ['a card', () => renderCard(settings, view)],
    [
      'a card of an open alert',
      () => renderCard(settings, { ...view, alert: { ...alert, closedTimestamp: null } }),
    ],
    ['a preview', () => renderUnfurl(settings, alert)],
    ['a card with its history', () => renderInOneMessage(settings, view, true)],
    ['a history', () => renderHistory(alert.actions, names)],
    [
      'news',
      () =>
        renderNews(settings, {
          actions: alert.actions,
          names,
          ending: { id: 'end', words: long(600) },
          change: { from: 3, alert },
          mention: many(500, (index) => `U${index}${'A'.repeat(9)}`),
          about: long(100),
        }),
    ],
    [
      'a result for twenty people',
      () => renderReceipt('id', wish, people, { ...reader, ...notes }),
    ],
    ...(['not-seen', { permissions: flags, member: false, inherit: true }] as const).map(
      (has): readonly [string, () => Message] => [
        'a refusal of twenty people, each with a reason',
        () =>
          renderReceipt(
            'id',
            wish,
            emails.map((email) => {
              const outcome = { kind: 'not-done', code: 'bad-request' } as const
              return { email, outcome, has, reason: long(300), canInvite: true }
            }),
            { roles: {}, container: long(120), ...notes },
          ),
      ],
    ),
    [
      'a shared result',
      () =>
        renderShared(wish, people, {
          ...reader,
          askerName: long(80),
          about: { isForAll: true, name: long(100) },
        }),
    ],
    ['a confirmation', () => renderQuestion('id', wish, reasons, [], reader)],
    ['a request', () => renderRequest(asked, defaultRoles, mention)],
    ['a request that was granted', () => renderRequest(granted, defaultRoles)],
    ['the end of a request', () => renderConclusion(granted, defaultRoles, undefined)],
    ['what somebody watches', () => renderWatches(settings, watches)],
    [
      'many new alerts',
      () =>
        renderAlerts(settings, { kind: 'new', count: 20 }, 7, {
          container: long(120),
          containerId: 12,
          people: names.people,
          assets: new Map([[long(2_000), long(120)]]),
          asOf: 1_700_000_000,
          alerts: many(20, () => ({ ...alert, ks: long(2_000) })),
        }),
    ],
    ['what doctor finds', () => renderExamined(findings, 1_700_000_000)],
  ]
  it.each(rows)('fits: %s', (_name, render) => {
    const { blocks } = render()
    expect(sizeOf(blocks)).toBeLessThanOrEqual(limits.messageSize)
    expect(blockErrors(JSON.parse(JSON.stringify(blocks)))).toEqual([])
  })

  it('names each address of a request in full, and each outcome', () => {
    const said = JSON.stringify(renderRequest(granted, defaultRoles).blocks)
    expect(emails.filter((email) => !said.includes(email))).toEqual([])
    expect(said.match(/may or may not be on/g)).toHaveLength(5)
  })
})
