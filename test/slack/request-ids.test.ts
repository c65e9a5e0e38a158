// Each request has an id: its log lines carry it, and it is the reference that the person is given.
import { expect, it } from 'vitest'
import { linesIn, openWorld } from '../world.ts'

it('a request that fails has a reference under which the log tells why, after the ack as well', async () => {
  const { alice, general, service, slack, log } = await openWorld()
  service.trouble.malformed('wrong-type')

  await alice.types('/alert 5HkX', general)
  const told = await alice.sees('don’t understand', general)
  await slack.idle()

  const [, reference] = /\(Reference ([0-9a-f]{8})\)/.exec(told.plain) ?? []
  const about = linesIn(log, `"request":"${reference}"`).filter(({ level }) => level !== 'debug')
  expect(about).toMatchObject([
    { msg: 'a request failed' },
    { msg: 'handled', outcome: 'service-malformed' },
  ])
})
