// Whatever is typed and whoever is asked for, what is shown of a grant is valid to Slack and pings nobody.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultPresets, flags } from '../../src/grant/flags.ts'
import type { GrantOutcome, GrantRequest } from '../../src/grant/grants.ts'
import { isEmail, parseGrant } from '../../src/grant/input.ts'
import { confirmModal, grantModal } from '../../src/grant/modal.ts'
import { renderLate, renderReceipt, renderSending, renderShared } from '../../src/grant/render.ts'
import { confirmReasons, renderConfirm } from '../../src/grant/render-confirm.ts'
import { renderHelp, renderPresets, renderProblems } from '../../src/grant/render-help.ts'
import { blockErrors } from '../../src/playground/slack/check/blocks.ts'
import { viewErrors } from '../../src/playground/slack/check/view.ts'
import { pingsOf } from '../../src/playground/slack/pings.ts'
import type { Message } from '../../src/slack/message.ts'
import { escapeText } from '../../src/slack/mrkdwn.ts'

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.constantFrom('<!channel>', '@here', '*b*', '`c`', '&amp;', '', '12', 'dave@example.com', 'via', '"'),
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

const request: fc.Arbitrary<GrantRequest> = fc.record({
  containerId: fc.integer({ min: 1, max: 999_999_999 }),
  email,
  authProvider: fc.constantFrom(undefined, 'Google', 'Azure AD', '*b* <x>'),
  member: fc.boolean(),
  permissions: fc.subarray([...flags]),
})

const outcome = fc.constantFrom<GrantOutcome>(
  { kind: 'granted' },
  ...(['bad-request', 'refused', 'forbidden', 'not-found', 'busy', 'unreachable'] as const).map(
    (code) => ({ kind: 'not-granted', code }) as const,
  ),
  ...(['server-error', 'odd-answer', 'connection-lost', 'timed-out', 'stopped'] as const).map(
    (doubt) => ({ kind: 'uncertain', doubt }) as const,
  ),
)

const settings = { presets: defaultPresets, authProviders: ['Password', 'Google', 'Azure AD', '*b* <x>'] }

function problems({ text, blocks }: Message): readonly unknown[] {
  encodeURIComponent(text)
  const sent = JSON.parse(JSON.stringify(blocks))
  return [...blockErrors(sent), ...pingsOf(text, sent, []), ...(text.length > 4000 ? [text.length] : [])]
}

const sent = (view: unknown) => JSON.parse(JSON.stringify(view))

describe('whatever is granted to whomever', () => {
  it('is shown by messages and views that Slack takes and that ping nobody', () => {
    fc.assert(
      fc.property(request, outcome, name, fc.boolean(), (wish, became, who, isGuest) => {
        const reasons = ['x', ...confirmReasons(wish, { name: who, isGuest })]
        for (const message of [
          renderReceipt('id', wish, became, {
            canShare: true,
            line: '/grant',
            note: who.slice(0, 100) || 'note',
          }),
          renderShared(who, wish, became),
          renderLate(wish, became),
          renderSending(wish),
          renderConfirm('id', wish, reasons),
        ]) {
          expect(problems(message)).toEqual([])
        }
        expect(viewErrors(sent(confirmModal('{}', wish, reasons)), 'modal')).toEqual([])
        const prefill = {
          ...wish,
          container: String(wish.containerId),
          grantee: { kind: 'email', email: wish.email } as const,
        }
        const form = grantModal('{}', prefill, settings, { origin: { name: who, isGuest }, problem: 'No.' })
        expect(viewErrors(sent(form), 'modal')).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})

describe('whatever is typed behind /grant', () => {
  it('is answered with a form that opens, a grant, or problems that can be read', () => {
    fc.assert(
      fc.property(fc.array(nasty, { maxLength: 6 }), (parts) => {
        const line = escapeText(parts.join(' '))
        const ask = parseGrant(line, settings)
        if (ask.kind === 'problems') expect(problems(renderProblems(ask.problems, line))).toEqual([])
        if (ask.kind === 'form')
          expect(viewErrors(sent(grantModal('{}', ask.prefill, settings)), 'modal')).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('gets help and presets that Slack takes', () => {
    expect(problems(renderHelp(settings))).toEqual([])
    expect(problems(renderPresets(settings.presets))).toEqual([])
    expect(problems(renderPresets({}))).toEqual([])
  })
})
