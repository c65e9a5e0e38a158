// Each request has an id: its log lines carry it, and it is the reference that the person is given.
import { describe, expect, it } from 'vitest'
import { openWorld } from '../world.ts'

interface Line {
  readonly level: string
  readonly msg: string
  readonly request?: string
  readonly kind?: string
  readonly about?: string
  readonly outcome?: string
  readonly ms?: number
}

function linesOf(log: readonly string[]): Line[] {
  return log.map((line): Line => JSON.parse(line))
}

describe('a request', () => {
  it('that fails has a reference under which the log tells why, after the ack as well', async () => {
    const { alice, general, service, slack, log } = await openWorld()
    service.trouble.malformed('wrong-type')

    await alice.types('/alert 5HkX', general)
    const told = await alice.sees('don’t understand', general)
    await slack.idle()

    const [, reference] = /\(Reference ([0-9a-f]{8})\)/.exec(told.plain) ?? []
    const about = linesOf(log).filter(
      ({ request, level }) => level !== 'debug' && request !== undefined && request === reference,
    )
    expect(about.map(({ msg }) => msg)).toEqual(['a request failed', 'handled'])
    expect(about.at(-1)).toMatchObject({ outcome: 'service-malformed' })
  })
})
