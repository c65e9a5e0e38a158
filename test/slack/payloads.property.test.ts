// Payloads with anything at all in the fields that a request can do without: Slack must get its ack for them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import {
  actionPayload,
  commandPayload,
  messageShortcutPayload,
  shortcutPayload,
  submissionPayload,
} from '../../src/slack/guard/payloads.ts'
import { OddInput, readInputs } from '../../src/slack/guard/requests.ts'

const from = {
  user: { id: 'U1', name: 'alice', username: 'alice', team_id: 'T1' },
  team: { id: 'T1', domain: 'example', enterprise_id: 'E1' },
  enterprise: { id: 'E1', name: 'Example' },
  api_app_id: 'A1',
  token: 'verification',
  is_enterprise_install: false,
  trigger_id: '1.2.3',
}
const responded = { response_url: 'https://hooks.slack.com/actions/T1/1/x' }
const channel = { id: 'C1', name: 'general' }
const ids = { block_id: 'post-to', action_id: 'post-to' }

/** Of each kind: what Slack sends, and the fields that it means nothing without. */
const kinds: readonly (readonly [string, z.ZodType, object, readonly string[]])[] = [
  [
    'a command',
    commandPayload,
    {
      ...{ command: '/alert', text: '5HkX', user_id: 'U1', user_name: 'alice', team_id: 'T1' },
      ...{ enterprise_id: 'E1', channel_id: 'C1', channel_name: 'general', trigger_id: '1.2.3' },
      ...responded,
    },
    ['command', 'user_id', 'team_id', 'enterprise_id', 'channel_id'],
  ],
  [
    'a press',
    actionPayload,
    {
      ...{ ...from, ...responded, channel, type: 'block_actions' },
      container: { type: 'message', message_ts: '1.1', channel_id: 'C1', thread_ts: '1.0' },
      message: { ts: '1.1' },
      state: { values: {} },
      view: { id: 'V1', private_metadata: '{}', state: { values: [] } },
      actions: [
        { type: 'button', action_id: 'alert.refresh', block_id: 'b', value: 'c', action_ts: '1.5' },
        { type: 'button', action_id: 'alert.more' },
      ],
    },
    [
      ...['user.id', 'user.team_id', 'team.id', 'team.enterprise_id', 'enterprise.id'],
      ...['channel.id', 'view.id', 'actions.0.action_id', 'actions.0.value'],
      'actions.0.selected_option',
    ],
  ],
  [
    'a shortcut',
    shortcutPayload,
    { ...from, callback_id: 'grant.form', action_ts: '1.5' },
    ['user.id', 'user.team_id', 'team.id', 'team.enterprise_id', 'enterprise.id'],
  ],
  [
    'a shortcut in the menu of a message',
    messageShortcutPayload,
    {
      ...from,
      ...responded,
      channel,
      message_ts: '1.1',
      message: { ts: '1.1', thread_ts: '1.0', text: 'x' },
    },
    [
      ...['user.id', 'user.team_id', 'team.id', 'team.enterprise_id', 'enterprise.id'],
      ...['channel.id', 'message.ts'],
    ],
  ],
  [
    'a submitted form',
    submissionPayload,
    {
      ...from,
      view: {
        ...{ id: 'V1', private_metadata: '{}', hash: '1.x' },
        state: { values: { 'post-to': { 'post-to': { selected_conversation: 'C1' } }, ks: { ks: {} } } },
      },
      response_urls: [{ ...ids, ...responded, channel_id: 'C1' }, 'junk'],
    },
    [
      ...['user.id', 'user.team_id', 'team.id', 'team.enterprise_id', 'enterprise.id'],
      ...['view.id', 'view.state.values'],
    ],
  ],
]

/** The way to each field, lists and objects included: `actions.0.value`. */
function fieldsIn(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at]
  const inside = Object.entries(value).flatMap(([name, one]) => fieldsIn(one, at ? `${at}.${name}` : name))
  return at ? [at, ...inside] : inside
}

/** A copy with something else there. */
function withField(value: unknown, [name, ...rest]: readonly string[], put: unknown): unknown {
  if (name === undefined) return put
  const inside: unknown = Reflect.get(Object(value), name)
  const changed = withField(inside, rest, put)
  return Array.isArray(value)
    ? value.map((one, index) => (String(index) === name ? changed : one))
    : { ...Object(value), [name]: changed }
}

const holds = (outer: string, inner: string) => outer === inner || inner.startsWith(`${outer}.`)

describe.each(kinds)('%s', (_kind, schema, payload, needed) => {
  it('is read whatever stands in the fields that it can do without', () => {
    const others = fieldsIn(payload).filter((field) =>
      needed.every((one) => !holds(field, one) && !holds(one, field)),
    )
    expect(others).not.toEqual([])

    fc.assert(
      fc.property(
        fc.constantFrom(...others),
        fc.option(fc.jsonValue(), { nil: undefined }),
        (field, junk) => {
          const read = schema.safeParse(withField(payload, field.split('.'), junk))
          expect(read.error).toBeUndefined()
        },
      ),
      { numRuns: 500 },
    )
  })

  it.each(needed)('is not read with something else as %s', (field) => {
    expect(schema.safeParse(withField(payload, field.split('.'), { odd: [1] })).success).toBe(
      // Inputs are looked at when they are read.
      field === 'view.state.values',
    )
  })
})

describe('a form', () => {
  const submitted = (state: unknown) =>
    submissionPayload.parse(withField(kinds[4]?.[2], ['view', 'state'], state)).view.state

  it.each([
    ['an empty list of inputs', { values: [] }],
    ['no inputs', { values: {} }],
    ['null as inputs', { values: null }],
    ['inputs left out', {}],
    ['null as state', null],
    ['no state', undefined],
  ])('with %s is empty', (_what, state) => {
    expect(readInputs(submitted(state), []).text('ks')).toBe('')
  })

  it('with an input of a kind that nobody knows is read as far as it is known', () => {
    const filled = readInputs(
      submitted({
        values: { new: { new: { type: 'new_input', value: { a: 1 } } }, ks: { ks: { value: ' x ' } } },
      }),
      [],
    )

    expect(filled.text('ks')).toBe('x')
    expect(() => filled.text('new')).toThrow(new OddInput('new'))
  })

  it.each([['words'], [['x']]])('with %j as inputs is not read', (values) => {
    expect(() => submitted({ values })).toThrow('values')
  })
})

describe('a press', () => {
  const press = (changes: object) => actionPayload.safeParse({ ...kinds[1]?.[2], ...changes })

  it('that nothing tells from the next one is not read: sent again, it would be done again', () => {
    const actions = [{ action_id: 'grant.confirm', value: 'x' }]

    expect(press({ trigger_id: '', actions }).success).toBe(true)
    expect(press({ trigger_id: '', response_url: undefined, actions }).success).toBe(false)
  })

  it.each(['half a letter: \ud800', 'x'.repeat(256), 7])('with %j as its view’s hash has none', (hash) => {
    const view = { id: 'V1', private_metadata: '{}', hash }

    expect(press({ view }).data?.view?.hash).toBe('')
  })
})
