// Answers that are known at once stand in the ack of the command, and cost no request more.
import { expect, it } from 'vitest'
import { openWorld } from '../world.ts'

it.each([
  ['/alert help', '/alert <key>'],
  ['/grant help', '/grant 12'],
  ['/grant roles', 'READ'],
  ['/alert style loud', 'There’s no style'],
  ['/grant 12 dave@example.com VIEWR', 'VIEWR'],
])('%s is answered in the ack, for whoever typed it alone', async (line, words) => {
  const { alice, bob, general, slack } = await openWorld()
  const before = slack.calls.length
  const { body } = await alice.types(line, general)
  const told = await alice.sees(words, general)

  expect(told.isEphemeral).toBe(true)
  expect(bob.screen(general)).not.toContain(words)
  expect(JSON.parse(body)).toMatchObject({ response_type: 'ephemeral' })
  expect(slack.calls.slice(before)).toEqual([])
})

it('an answer that takes its time comes after the ack', async () => {
  const { alice, bob, general, slack } = await openWorld()
  slack.trouble.slow('users.info', 1_500)
  const { body, outcome } = await alice.types(`/grant 12 <@${bob.id}> NOTHING`, general, { raw: true })
  expect({ body, outcome }).toEqual({ body: '', outcome: 'acked' })
  await alice.sees('NOTHING', general)
})

it('the same command again is answered again', async () => {
  const { alice, general, slack } = await openWorld()
  const first = await alice.types('/alert help', general)
  const again = await slack.redeliver(first)
  expect(again.body).toBe(first.body)
})

it('whoever asks too fast hears it there, too', async () => {
  const { alice, general, clock } = await openWorld({ env: { RATE_PER_MINUTE: '2' } })
  clock.advance(60_000)
  await alice.types('/alert help', general)
  await alice.types('/alert help', general)
  const { body } = await alice.types('/alert help', general)
  expect(JSON.parse(body).text).toContain('Try again in')
})
