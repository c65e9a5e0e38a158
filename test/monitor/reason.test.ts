// Reasons in the bodies of refusals: whatever shape they have, one line without secrets, or none.
import { describe, expect, test } from 'vitest'
import { reasonIn } from '../../src/monitor/writes.ts'
import { dave, setup, token } from './setup.ts'

describe('a reason', () => {
  test.each([
    ['This address exists more than once.', 'This address exists more than once.'],
    ['"user exists already"', 'user exists already'],
    ['{"error": "user exists already"}', 'user exists already'],
    ['{"error_msg": "user exists already", "status": 400}', 'user exists already'],
    ['{"error": "Bad Request", "message": "user exists already"}', 'user exists already'],
    ['two\r\n  lines\u202e\u0000', 'two lines'],
    [`no access for ${token}, sorry`, 'no access for [redacted], sorry'],
    ['root:0123456789ABCDEF0123456789abcdef@host is no good', 'root:[redacted]@host is no good'],
    ['Bearer abcdefghijklmnop1 is no good', '[redacted] is no good'],
  ])('is read from %j', (body, reason) => {
    expect(reasonIn(body, token)).toBe(reason)
  })

  test.each([
    '',
    ' \n',
    'Bad Request',
    '400 Bad Request.',
    'Forbidden',
    '{"status": 403, "reason": "insufficient permissions"}',
    '{"error_msg": "invalid request"}',
    '{"error": 7}',
    '{"error": "cut in the mid',
    '[1, 2]',
    'null',
    '<!doctype html><h1>Bad Request</h1>',
  ])('is not read from %j, which says nothing that a person could use', (body) => {
    expect(reasonIn(body, token)).toBeUndefined()
  })
})

describe('adding a user who is refused', () => {
  const reason = 'This address exists more than once.'

  test.each([400, 403])('brings the reason of a %i', async (status) => {
    const { service, monitor } = await setup()
    service.trouble.answer(status, { only: 'POST', body: { message: reason } })

    expect(await monitor.addUser(token, 12, dave)).toMatchObject({ kind: 'not-done', reason })
  })

  test.each([401, 404, 429, 500])('brings none of a %i, whose cause is known', async (status) => {
    const { service, monitor } = await setup()
    service.trouble.answer(status, { only: 'POST', body: reason })

    expect(await monitor.addUser(token, 12, dave)).not.toHaveProperty('reason')
  })

  test('is certain of it, though the body never ends, or is cut', async () => {
    const { service, monitor } = await setup()
    const once = { only: 'POST', times: 1, status: 400 } as const
    for (const answer of [
      () => service.trouble.endless(once),
      () => service.trouble.huge(50_000, once),
    ]) {
      answer()
      expect(await monitor.addUser(token, 12, dave)).toEqual({
        kind: 'not-done',
        code: 'bad-request',
      })
    }
  })
})
