// A soak judges by what people were told: it has to understand every outcome in the bot’s own words.
import { describe, expect, it } from 'vitest'
import { renderCard } from '../../src/approval/render/card.ts'
import { renderEndForApprover, renderEndForAsker } from '../../src/approval/render/messages.ts'
import type { Result } from '../../src/grant/access.ts'
import { renderLate, renderReceipt, renderShared } from '../../src/grant/render/receipt.ts'
import { defaultRoles as roles } from '../../src/grant/roles.ts'
import { causes, notDoneCodes, type Settled } from '../../src/send/outcome.ts'
import { approved, ended, request } from '../approval/sample.ts'
import { verdictsIn } from '../full/soak/verdicts.ts'
import { grantSettings, keptWith, wishFor } from '../grant/samples.ts'

const email = 'g1@soak.example'
const wish = wishFor({ emails: [email] })
const words = { done: 'Granted', 'not-done': 'Not granted', uncertain: 'Not certain' } as const
const outcomes: readonly Settled[] = [
  { kind: 'done' },
  ...notDoneCodes.map((code) => ({ kind: 'not-done', code }) as const),
  ...causes.map((cause) => ({ kind: 'uncertain', cause }) as const),
]

describe('a verdict', () => {
  it.each(outcomes)('is read out of what somebody is told, for %j', (outcome) => {
    const results: readonly Result[] = [{ email, outcome }]
    const told = [
      renderReceipt('wish', wish, results, { roles, canShare: false, isRestOpen: true }),
      renderShared('alice', wish, results, roles),
      renderLate(keptWith(wish, results), grantSettings),
    ]

    for (const { text } of told) {
      expect(verdictsIn(text)).toEqual([{ email, verdict: words[outcome.kind], isApproved: false }])
    }
  })

  it.each(outcomes)('is read out of what becomes of a request, for %j', (outcome) => {
    const over = ended(approved(request(wish)), [{ email, outcome }])
    for (const render of [renderEndForAsker, renderEndForApprover]) {
      const { text } = render(over, { roles, link: undefined })
      expect(verdictsIn(text)).toEqual([{ email, verdict: words[outcome.kind], isApproved: true }])
    }
  })

  it('is read for each of several people', () => {
    const emails = ['g1@soak.example', 'g2@soak.example', 'g3@soak.example', 'g4@soak.example']
    const results: readonly Result[] = [
      { email: 'g1@soak.example', outcome: { kind: 'done' } },
      { email: 'g2@soak.example', outcome: { kind: 'not-done', code: 'bad-request' } },
      { email: 'g3@soak.example', outcome: { kind: 'uncertain', cause: 'timed-out' } },
      { email: 'g4@soak.example', outcome: { kind: 'not-sent' } },
    ]
    const notes = { roles, canShare: false, isRestOpen: true }

    const { text } = renderReceipt('wish', wishFor({ emails }), results, notes)

    expect(verdictsIn(text).map(({ verdict }) => verdict)).toEqual([
      'Granted',
      'Not granted',
      'Not certain',
      'Not sent',
    ])
  })

  it('is in no request that waits or is being granted', () => {
    for (const open of [request(wish), approved(request(wish))]) {
      expect(verdictsIn(renderCard(open, { roles }).text)).toEqual([])
    }
  })
})
