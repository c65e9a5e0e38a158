// Trying a token before it is kept.
import { describe, expect, test } from 'vitest'
import { expectFailure, powerlessToken, setup, token } from './setup.ts'

describe('trying a token', () => {
  test('accepts one that may read alerts, by a key that does not exist', async () => {
    const { service, monitor } = await setup()

    expect(await monitor.tryToken(token)).toBe('accepted')

    expect(service.requests).toMatchObject([{ method: 'GET', query: 'fields=ks', status: 404 }])
  })

  test('tells of one that lacks API and READ', async () => {
    const { monitor } = await setup()

    expect(await monitor.tryToken(powerlessToken)).toBe('forbidden')
  })

  test('refuses one that the service does not know', async () => {
    const { monitor } = await setup()

    await expectFailure(monitor.tryToken('nobody'), 'refused')
  })

  test.each([
    [500, 1],
    [429, 4],
    [503, 4],
  ])('has not tested it when a busy service answers %i', async (status, tries) => {
    const { service, monitor } = await setup()
    service.trouble.answer(status)

    expect(await monitor.tryToken(token)).toBe('untested')

    expect(service.requests).toHaveLength(tries)
  })

  const page = { body: '{"page":"Sign in"}', headers: { 'content-type': 'text/html' } }

  test.each([
    ['a page to sign in', 200, { body: '<!doctype html><title>Sign in</title>' }],
    ['nothing', 204, {}],
    ['a way elsewhere', 301, {}],
    ['a proxy that wants a password', 407, {}],
    ['a teapot', 418, {}],
    ...[200, 400, 403, 404].map((status) => ['a page', status, page] as const),
    ['JSON of something else', 200, { body: '{"error":"no such page"}' }],
  ] as const)('takes %s with %i for something else than the service', async (_, status, answer) => {
    const { service, monitor } = await setup()
    service.trouble.answer(status, answer)

    await expectFailure(monitor.tryToken(token), 'malformed')
  })

  test('cannot tell when nobody answers', async () => {
    const { service, monitor } = await setup()
    await service.trouble.down()

    await expectFailure(monitor.tryToken(token), 'unreachable')
  })
})
