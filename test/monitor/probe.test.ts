// Probes of the service: whether it can be reached, asked without a token.
import { describe, expect, test } from 'vitest'
import { setup } from './setup.ts'

describe('probing', () => {
  test('finds the service by its refusal, with how long it took', async () => {
    const { service, monitor } = await setup()
    const found = await monitor.probe()

    expect(found).toEqual({ kind: 'answered', status: 401, tookMs: expect.any(Number) })
    expect(service.requests).toMatchObject([
      { method: 'GET', query: 'fields=ks', token: undefined },
    ])
  })

  test.each([200, 302, 503])(
    'tells of an answer %i as it is, after asking once',
    async (status) => {
      const { service, monitor } = await setup()
      service.trouble.answer(status, { body: '<html>Sign in</html>' })

      expect(await monitor.probe()).toMatchObject({ kind: 'answered', status })

      expect(service.requests).toHaveLength(1)
    },
  )

  test('says why nobody answers', async () => {
    const { service, monitor } = await setup()
    await service.trouble.down()

    expect(await monitor.probe()).toEqual({
      kind: 'silent',
      cause: 'refused',
      code: 'ECONNREFUSED',
    })
  })

  test('ends in time when the service takes the request and is silent', async () => {
    const { service, monitor } = await setup({ budgetMs: 200 })
    service.trouble.hang()

    expect(await monitor.probe()).toEqual({ kind: 'silent', cause: 'timeout', code: 'timed-out' })
  })
})
