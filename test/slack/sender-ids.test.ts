// Ids in the log's line of a request: of who asks, as Slack writes them, and of nobody else.
import { expect, it } from 'vitest'
import { senderIdsIn } from '../../src/slack/inbound/followed-app.ts'

it.each([
  ['a command', { user_id: 'U1A', team_id: 'T1A' }],
  ['a press', { user: { id: 'U1A' }, team: { id: 'T1A' } }],
  ['words in a channel', { team_id: 'T1A', event: { type: 'message', user: 'U1A' } }],
])('are those of who sent %s', (_, body) => {
  expect(senderIdsIn(body)).toEqual({ user: 'U1A', workspace: 'T1A' })
})

it('are not those of somebody who changed their profile and asked for nothing', () => {
  const body = { team_id: 'T1A', event: { type: 'user_change', user: { id: 'U1A', deleted: false } } }

  expect(senderIdsIn(body)).toEqual({ user: undefined, workspace: 'T1A' })
})
