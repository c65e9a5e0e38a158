// `npm run doctor -- --blocks`: some two hundred pictures are drawn, and Slack is asked about one after another.
import { expect, it } from 'vitest'
import { runDoctor } from '../doctor/run-doctor.ts'
import { openProcessWorld } from '../playground-world.ts'

it('asks Slack about every picture of the gallery when told to, and posts nothing', async () => {
  const { env, slack } = await openProcessWorld({ botScopes: [] })

  const { exitCode, printed } = await runDoctor(env, '--blocks')

  const asked = slack.calls.length
  expect(asked).toBeGreaterThan(150)
  expect(new Set(slack.calls.map(({ method }) => method))).toEqual(new Set(['blocks.validate']))
  expect(printed).toContain(`Slack takes ${asked} of ${asked}.`)
  expect(exitCode).toBe(0)
}, 120_000)
