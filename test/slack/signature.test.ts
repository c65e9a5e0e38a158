// Bolt checks signatures as Slack's own documents say: what it refuses, Bellhop refuses.
import { isValidSlackRequest } from '@slack/bolt'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { headerProblem, isSignedBySlack } from '../../src/slack/inbound/signatures.ts'
import { signedHeaders } from '../signed-request.ts'

const secret = 'a-signing-secret'
const now = 1_800_000_000

const bodies = fc.string({ unit: 'grapheme', maxLength: 200 })
const ages = fc.oneof(fc.integer({ min: -400, max: 400 }), fc.constantFrom(299, 300, 301))

function judge(body: string, timestamp: string, signature: string) {
  const headers = { 'x-slack-request-timestamp': Number(timestamp), 'x-slack-signature': signature }
  return {
    bolt: isValidSlackRequest({ signingSecret: secret, body, headers, nowMilliseconds: now * 1000 }),
    ours: isSignedBySlack(secret, { timestamp, signature }, Buffer.from(body), now * 1000),
  }
}

it('what is signed is taken as Bolt takes it; from the future it is refused as well', () => {
  fc.assert(
    fc.property(bodies, ages, (body, age) => {
      const timestamp = String(now - age)
      const signature = signedHeaders(body, secret, timestamp)['x-slack-signature'] ?? ''
      const { bolt, ours } = judge(body, timestamp, signature)
      expect(ours).toBe(bolt && age >= -300)
      // The look at the headers alone, before the body is read, refuses nothing that is signed.
      expect(headerProblem({ timestamp, signature }, now * 1000) === undefined).toBe(ours)
    }),
  )
})

it('what is signed otherwise is refused by both', () => {
  const change = fc.constantFrom(
    (given: string) => given.replace('v0=', 'v1='),
    (given: string) => given.slice(0, -1),
    (given: string) => `${given}0`,
    (given: string) => given.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    () => 'v0=',
    () => '',
  )
  fc.assert(
    fc.property(bodies, change, (body, changed) => {
      const timestamp = String(now)
      const signature = changed(signedHeaders(body, secret, timestamp)['x-slack-signature'] ?? '')
      expect(judge(body, timestamp, signature)).toEqual({ bolt: false, ours: false })
    }),
  )
})
