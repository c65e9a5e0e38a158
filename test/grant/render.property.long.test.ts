// Properties of what is shown of a grant: whatever is typed and whoever is asked for, it is valid to Slack and pings
// nobody.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockErrors } from '../../playground/slack/check/blocks.ts'
import { limits, sizeOf } from '../../playground/slack/check/limits.ts'
import { viewErrors } from '../../playground/slack/check/view.ts'
import { pingsOf } from '../../playground/slack/workspace/pings.ts'
import type { Result } from '../../src/grant/access.ts'
import { formMemory } from '../../src/grant/form-memory.ts'
import { parseGrant } from '../../src/grant/input/line.ts'
import { isEmail } from '../../src/grant/input/pieces.ts'
import { renderHelp, renderProblems, renderRoles } from '../../src/grant/render/help.ts'
import {
  lateNote,
  originWords,
  renderColleagueNeeded,
  renderQuestion,
  renderReceipt,
  renderShared,
} from '../../src/grant/render/receipt.ts'
import { renderWho } from '../../src/grant/render/who.ts'
import { cautions } from '../../src/grant/render/words.ts'
import { defaultRoles, flags } from '../../src/grant/roles.ts'
import type { AccessKind } from '../../src/send/access-kinds.ts'
import { type Cause, causeWords, notDoneCodes, type SendOutcome } from '../../src/send/outcome.ts'
import type { Message } from '../../src/slack/outbound/message.ts'
import { escapeText } from '../../src/slack/text/mrkdwn.ts'
import { anyCharacter } from '../any-text.ts'
import { runningEnd } from '../ends/sample.ts'
import { grantForm } from './samples.ts'

const nasty = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 100 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.constantFrom(
    '<!channel>',
    '@here',
    '*b*',
    '`c`',
    '&amp;',
    '',
    '12',
    'dave@example.com',
    'via',
    '"',
  ),
  fc.string({ unit: fc.constantFrom('x', '😀', '&'), minLength: 2000, maxLength: 4000 }),
)
const name = fc.array(nasty, { maxLength: 3 }).map((parts) => parts.join(' ').toWellFormed())
const email = fc
  .tuple(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }),
    fc.constantFrom('example.com', 'here', 'x'),
  )
  .map((parts) => parts.join('@'))
  .filter(isEmail)

const wish = fc.record({
  kind: fc.constantFrom<AccessKind>('add-user', 'change', 'remove', 'invite', 'uninvite'),
  takes: fc.subarray([...flags]),
  containerId: fc.integer({ min: 1, max: 999_999_999 }),
  authProvider: fc.constantFrom(undefined, 'Google', 'Azure AD', '*b* <x>'),
  member: fc.boolean(),
  permissions: fc.subarray([...flags]),
})

const causes = Object.keys(causeWords).filter((one): one is Cause => Object.hasOwn(causeWords, one))

const outcome = fc.constantFrom<SendOutcome>(
  { kind: 'done' },
  ...notDoneCodes.map((code) => ({ kind: 'not-done', code }) as const),
  ...causes.map((cause) => ({ kind: 'uncertain', cause }) as const),
)

const notSent = fc.constant<SendOutcome>({ kind: 'not-sent' })

const place = {
  workspaceId: 'T0123ABC',
  userId: 'U0123ABC',
  channelId: 'C0123ABC',
  responseUrl: `https://hooks.slack.com/actions/${'x'.repeat(200)}`,
  isDirect: false,
}

const settings = {
  roles: defaultRoles,
  authProviders: ['Password', 'Google', 'Azure AD', '*b* <x>'],
}

function problems({ text, blocks }: Message): readonly unknown[] {
  encodeURIComponent(text)
  const sent = JSON.parse(JSON.stringify(blocks))
  const size = sizeOf(sent)
  const tooLong = [
    ...(text.length > 4000 ? [`text of ${text.length}`] : []),
    ...(size > limits.messageSize ? [`blocks of ${size}`] : []),
  ]
  return [...blockErrors(sent), ...pingsOf(text, sent, []), ...tooLong]
}

const sent = (view: unknown) => JSON.parse(JSON.stringify(view))

/** What a look at the container may show of them. */
function seenOf(told: readonly Result[]): readonly Result[] {
  return told.map((one, index) => {
    const there = { permissions: ['READ', 'API'], member: false, inherit: index % 3 === 0 }
    return { ...one, has: index % 2 === 0 ? 'not-seen' : there }
  })
}

const longEmail = fc
  .tuple(
    fc.integer({ min: 1 }),
    fc.constantFrom('x', '😀', '&', '*b*'),
    fc.integer({ min: 1, max: 240 }),
  )
  .map(([number, letter, length]) =>
    `${number}${letter.repeat(length)}`.slice(0, 240).toWellFormed(),
  )
  .map((local) => `${local}@example.com`)
  .filter(isEmail)

const people = fc.uniqueArray(fc.tuple(fc.oneof(email, longEmail), fc.oneof(outcome, notSent)), {
  minLength: 1,
  maxLength: 20,
  selector: ([one]) => one.toLowerCase(),
})

describe('whatever is granted to up to twenty people', () => {
  it('is shown by messages and views that Slack takes and that ping nobody', () => {
    fc.assert(
      fc.property(wish, people, name, fc.boolean(), (asked, named, who, isSo) => {
        const isThere = asked.kind === 'change' || asked.kind === 'remove'
        const told = named.map(([email, outcome], userId) => ({
          email: isThere && userId % 3 === 2 ? '' : email,
          outcome,
          there: isThere
            ? { userId, name: who, permissions: ['READ', who], member: isSo }
            : undefined,
        }))
        const access = { ...asked, people: told }
        const origins = told.map((one) => ({
          userId: 'U1',
          email: one.email,
          name: who,
          isGuest: isSo,
        }))
        const reasons = [...origins.map(originWords), ...cautions(access, defaultRoles)]
        const view = { roles: defaultRoles, container: 'container 12' }
        const own = isSo ? told.map((one) => ({ ...one, reason: who })) : seenOf(told)
        const notes = {
          ...view,
          canShare: isSo,
          canLook: isSo,
          line: '/grant',
          notes: [lateNote],
        }
        for (const message of [
          renderReceipt('id', access, own, notes),
          renderShared(access, told, { askerName: who, ...view }),
          renderQuestion('id', access, reasons, [], view),
          renderQuestion('id', access, [], ['This is your own access.'], view),
          renderColleagueNeeded('id', access, reasons.join(' '), view),
        ]) {
          expect(problems(message)).toEqual([])
        }
        const state = formMemory('i'.repeat(60), place)
        const form = grantForm(
          { ...access, containerId: 12, grantees: told.map((one) => one.email) },
          [`For ${who}.`],
          settings,
          state,
        )
        expect(viewErrors(sent(form), 'modal')).toEqual([])
      }),
      { numRuns: 100 },
    )
  })
})

describe('whatever is typed behind /grant', () => {
  it('is answered with a form that opens, a grant, or problems that can be read', () => {
    fc.assert(
      fc.property(fc.array(nasty, { maxLength: 6 }), (parts) => {
        const line = escapeText(parts.join(' '))
        const ask = parseGrant(line, settings)
        if (ask.kind === 'problems') {
          expect(problems(renderProblems(ask.problems, line))).toEqual([])
        }
        if (ask.kind === 'form')
          expect(viewErrors(sent(grantForm(ask.prefill, [], settings)), 'modal')).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('gets help and presets that Slack takes', () => {
    expect(problems(renderHelp(settings))).toEqual([])
    expect(problems(renderRoles(settings.roles))).toEqual([])
    expect(problems(renderRoles({}))).toEqual([])
  })
})

describe('whoever is on a container', () => {
  it('is listed by messages that Slack takes and that ping nobody', () => {
    const someone = fc.record({
      id: fc.nat(),
      name,
      email: fc.option(email, { nil: undefined }),
      authProvider: fc.constant(undefined),
      inherit: fc.boolean(),
      member: fc.boolean(),
      mute: fc.boolean(),
      permissions: fc.array(fc.oneof(fc.constantFrom<string>(...flags), name), { maxLength: 30 }),
    })
    const list = fc.array(someone, { maxLength: 60 })
    fc.assert(
      fc.property(
        list,
        list,
        name,
        fc.constantFrom(0, 20, 40),
        (people, invites, container, after) => {
          const ask = {
            containerId: 999_999_999,
            after,
            grantee: 'p@example.com',
            flags: flags.slice(0, 1),
          }
          const message = renderWho(defaultRoles, {
            container: container.slice(0, 120),
            total: 99,
            people,
            invites,
            ends: people.slice(0, 5).map(({ id: userId, name }) => ({
              ...runningEnd,
              containerId: 999_999_999,
              flags: [...flags.slice(1), container],
              whom: { email: '', there: { userId, name, permissions: [], member: false } },
            })),
            ask,
          })
          expect(problems(message)).toEqual([])
        },
      ),
      { numRuns: 60 },
    )
  })
})
