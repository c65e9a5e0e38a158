// Failures of Slack, each sorted once by what can be done about it.
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import {
  classify,
  NotInstalledError,
  ResponseUrlError,
  refusalKinds,
  SlackBusyError,
} from '../../src/slack/client/refusals.ts'

const said = (error: string) => classify(new WebAPIPlatformError({ ok: false, error }))

describe('a word of Slack’s', () => {
  it.each([
    ['token_revoked', { kind: 'token', lost: { message: false, person: false } }],
    ['account_inactive', { kind: 'token', lost: { message: false, person: true } }],
    ['channel_not_found', { kind: 'place', isInviteNeeded: true, lost: { message: true, person: true } }],
    ['not_in_channel', { kind: 'place', isInviteNeeded: true, lost: { message: true, person: false } }],
    ['restricted_action_read_only_channel', { kind: 'place', lost: { message: false, person: false } }],
    ['message_not_found', { kind: 'gone', lost: { message: true, person: false } }],
    ['user_disabled', { kind: 'gone', lost: { message: false, person: true } }],
    ['missing_scope', { kind: 'scope' }],
    ['invalid_blocks', { kind: 'input' }],
    ['team_added_to_org', { kind: 'passing', lost: { message: false, person: false } }],
    ['ratelimited', { kind: 'passing' }],
    ['constructor', { kind: 'other' }],
  ])('says what was certainly not done, and what is lost with it: %s', (word, facts) => {
    expect(said(word)).toMatchObject({ word, mayBeDone: false, ...facts })
    expect(classify(new ResponseUrlError(word))).toEqual(said(word))
    expect(refusalKinds).toContain(said(word).kind)
  })

  it.each(['internal_error', 'no_answer', 'status_503'])('for a fault leaves it open: %s', (word) => {
    expect(classify(new ResponseUrlError(word))).toMatchObject({ kind: 'unsure', word, mayBeDone: true })
  })
})

describe('an answer that is none of Slack’s, as a gateway gives', () => {
  const answered = (body: object) =>
    classify(new WebAPIPlatformError(Object.assign({ ok: false, error: '' }, body)))

  it('without a word is a defect, and nobody knows whether it was done', () => {
    expect(answered({ error: undefined })).toMatchObject({ kind: 'defect', mayBeDone: true })
  })

  it('with more than a word is a refusal like any other', () => {
    expect(answered({ error: { code: 502 } })).toMatchObject({ kind: 'other', word: 'unknown_error' })
  })
})

describe('a failure without a word', () => {
  it.each([
    [new WebAPIRateLimitedError(7), { kind: 'busy', waitSeconds: 7, method: undefined, mayBeDone: false }],
    [new SlackBusyError(7, 'chat.update'), { kind: 'busy', waitSeconds: 7, method: 'chat.update' }],
    [new NotInstalledError('T1'), { kind: 'other', lost: { message: true, person: true }, mayBeDone: false }],
    [new WebAPIHTTPError(503, '', {}, ''), { kind: 'unsure', status: 503, mayBeDone: true }],
    [new WebAPIRequestError(new Error('reset')), { kind: 'unsure', mayBeDone: true }],
    [new TypeError('ours'), { kind: 'defect', mayBeDone: true }],
  ])('is told from a defect of ours: %s', (error, facts) => {
    expect(classify(error)).toMatchObject(facts)
  })
})
