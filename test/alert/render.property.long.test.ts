// For any strings in any field of an alert, what is posted is valid to Slack, within its limits, and pings nobody.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockErrors } from '../../playground/slack/check/blocks.ts'
import { limits, sizeOf } from '../../playground/slack/check/limits.ts'
import { readUnfurls } from '../../playground/slack/check/unfurl.ts'
import { pingsOf } from '../../playground/slack/workspace/pings.ts'
import { renderCard, renderInOneMessage, renderUnfurl } from '../../src/alert/render/card.ts'
import { renderHistory, renderNews } from '../../src/alert/render/history.ts'
import {
  renderAlerts,
  renderConsent,
  renderUncalled,
  renderUnsaid,
  renderUnshown,
} from '../../src/follow/render.ts'
import type { Alert } from '../../src/monitor/schema.ts'
import { nameAndNumber } from '../../src/names/names.ts'
import type { Message } from '../../src/slack/outbound/message.ts'
import { nameInLine } from '../../src/slack/person.ts'
import { anyCharacter } from '../any-text.ts'
import { settings } from './settings.ts'

/** Strings that are likely to hurt, and any others. */
const nasty = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom(
    '<!channel>',
    '<@U012AB3CD>',
    '@here',
    '<!subteam^S1>',
    '&lt;',
    '```',
    '*b*',
    '\u202e',
    '\ud800',
    '',
  ),
  fc.string({
    unit: fc.constantFrom('<', '>', '&', '😀', 'é', '\n'),
    minLength: 2000,
    maxLength: 6000,
  }),
)
const text = fc.array(nasty, { maxLength: 3 }).map((parts) => parts.join(' '))
const seconds = fc.oneof(fc.integer({ min: 0, max: 2_000_000_000 }), fc.maxSafeInteger())

/** Of people with a name. */
const ids = [7, 8]

const action = fc.record({
  kind: fc.oneof(
    fc.constantFrom('Assign', 'Comment', 'Close', 'AutoClose', 'IntegrationCall'),
    text,
  ),
  timestamp: seconds,
  data: fc.oneof(
    fc.constant(null),
    fc.dictionary(text, fc.oneof(text, fc.jsonValue())),
    fc.record({ message: text }),
    fc.record({
      userId: fc.constantFrom(...ids, null),
      ownerId: fc.constantFrom(...ids, null),
      message: text,
    }),
  ),
})

const alert: fc.Arbitrary<Alert> = fc.record({
  ks: text.map((ks) => ks.toWellFormed() || 'x'),
  message: text,
  severity: fc.integer({ min: -1, max: 9 }),
  timestamp: seconds,
  lastMessage: text,
  lastSeverity: fc.integer({ min: -1, max: 9 }),
  lastTimestamp: seconds,
  ownerId: fc.oneof(fc.constant(null), fc.constantFrom(...ids)),
  closedTimestamp: fc.oneof(fc.constant(null), seconds),
  actions: fc.array(action, { maxLength: 30 }),
})

/** @param called - Whom it is to ping. */
function problems(
  { text: sentence, blocks }: Message,
  called: readonly string[] = [],
): readonly unknown[] {
  // As it travels: JSON, and a form that cannot hold half a surrogate pair.
  encodeURIComponent(sentence)
  const sent = JSON.parse(JSON.stringify(blocks))
  const tooLong = sentence.length > 4000 ? [`text of ${sentence.length}`] : []
  const size = sizeOf(sent)
  const tooMuch = size > limits.messageSize ? [`blocks of ${size}`] : []
  const silent = sentence.trim() === '' ? ['no text'] : []
  const pinged = [...new Set(pingsOf(sentence, sent, []))]
  const wrong = [
    ...pinged.filter((one) => !called.includes(one)),
    ...called.filter((one) => !pinged.includes(one)),
  ]
  return [...blockErrors(sent), ...wrong, ...tooLong, ...tooMuch, ...silent]
}

describe('whatever an alert holds', () => {
  it('is shown by messages and views that Slack takes and that ping nobody', () => {
    fc.assert(
      fc.property(alert, text, (shown, name) => {
        const people = Object.fromEntries(ids.map((id) => [id, name]))
        const names = { people, container: { id: 12, name } }
        // As it comes from the service’s list.
        const asset = nameInLine(name.slice(0, 120))
        const view = {
          id: 'f3b0c442-98fc-4c14-9afb-f4c8996fb924',
          alert: shown,
          askerName: name,
          refresherName: name,
          asOf: 1_700_000_000,
          isPrivate: true,
          channelId: 'C1',
          names,
          asset,
        }
        const live = { names: [shown.message, 'Bob', shown.ks, 'Dave'], until: shown.timestamp }
        const { text: fallback, blocks } = renderUnfurl(settings, shown, asset)
        const hung = JSON.parse(JSON.stringify({ 'https://m.example': { fallback, blocks } }))
        expect(readUnfurls(hung)).toBeInstanceOf(Map)
        expect(pingsOf(fallback, [], [])).toEqual([])
        const ending = { id: 'end', words: `Ended: ${shown.message}` }
        const told = { ending, change: { from: 9, alert: shown }, about: name }
        const news = { actions: shown.actions, names, ...told }
        const messages = [
          renderInOneMessage(settings, view, true),
          renderHistory(shown.actions, names),
          renderCard(settings, { ...view, live, isOverdue: true }),
          renderCard(settings, { ...view, live, isPrivate: false, nextBy: shown.timestamp }),
          renderNews(settings, news),
        ]
        expect(messages.flatMap((one) => problems(one))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('is shown in a channel that follows its container, which pings those whom the follow was told to call, and nobody else', () => {
    fc.assert(
      fc.property(alert, text, (shown, name) => {
        const container = nameAndNumber({ id: 12, name }) ?? 'container 12'
        const call = { mention: 'S0ONCALL', name: container, from: 3 }
        const pinged = ['<!subteam^S0ONCALL>']
        const names = {
          people: Object.fromEntries(ids.map((id) => [id, name])),
          container: { id: 12, name },
        }
        const about = {
          id: 'card',
          askerName: '',
          channelId: 'C1',
          isPrivate: false,
          asOf: 1_700_000_000,
        }
        const card = renderCard(settings, { ...about, alert: shown, names, calls: call.mention })
        expect(problems(card, pinged)).toEqual([])
        const change = { from: 'closed', alert: shown } as const
        const flapping = { times: 3, minutes: 12 }
        const news = {
          actions: shown.actions,
          names,
          ending: undefined,
          change,
          mention: [call.mention],
          flapping,
        }
        expect(problems(renderNews(settings, news), pinged)).toEqual([])

        const follow = {
          workspaceId: 'T1',
          id: 'f',
          channelId: 'C1',
          containerId: 12,
          container,
          least: 3,
          call,
        }
        const list = {
          ...follow,
          alerts: [shown, shown],
          asOf: 1_700_000_000,
          people: names.people,
          assets: new Map([[shown.ks, nameInLine(name.slice(0, 120))]]),
        }
        const kinds = { follow: { intervalMs: 60_000 }, publicUrl: undefined, ...settings }
        const messages = [
          renderAlerts(kinds, { kind: 'new', count: 3 }, 3, list),
          renderConsent(kinds, follow, 2, { ...follow, least: 7, call: undefined }),
          renderUnsaid(follow, { since: 1, word: 'no_permission', alerts: 2 }),
          renderUnshown(follow, 1),
          renderUncalled(follow, call),
        ]
        expect(messages.flatMap((one) => problems(one))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})
