// Ids of requests in the service's own log: which Bellhop sent one, and under which id Bellhop's log has it.
import { describe, expect, test } from 'vitest'
import { version } from '../../src/config/version.ts'
import { asRequest } from '../../src/log/request.ts'
import { setup, token } from './setup.ts'

const dave = { email: 'dave@example.com', authProvider: undefined, member: false, permissions: ['READ'] }
const oneId = expect.stringMatching(/^[0-9a-f]{8}$/)

describe('every call to the service', () => {
  test('names this version of Bellhop, and an id', async () => {
    const { service, monitor } = await setup()
    service.addAlert({ ks: 'k1' })
    await monitor.readAlert(token, 'k1')
    await monitor.tryToken(token)
    await monitor.addUser(token, 12, dave)
    await monitor.probe()

    const sent = service.requests.map(({ headers }) => [headers['user-agent'], headers['x-request-id']])
    expect(sent).toEqual(Array(4).fill([`bellhop/${version}`, oneId]))
    expect(new Set(sent.map(([, id]) => id)).size).toBe(4)
  })

  test('has one id, however often it is tried', async () => {
    const { service, monitor } = await setup()
    service.addAlert({ ks: 'k1' })
    service.trouble.answer(503, { times: 2 })
    await monitor.readAlert(token, 'k1')

    const ids = service.requests.map(({ headers }) => headers['x-request-id'])
    expect(ids).toEqual([oneId, ids[0], ids[0]])
  })

  test('has the id of the request that it is made for', async () => {
    const { service, monitor } = await setup()
    const id = await asRequest(async (request) => {
      await monitor.addUser(token, 12, dave)
      await monitor.tryToken(token)
      return request.id
    })
    expect(service.requests.map(({ headers }) => headers['x-request-id'])).toEqual([id, id])
  })
})
