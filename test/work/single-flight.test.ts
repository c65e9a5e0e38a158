// One run of work that many ask for.
import { describe, expect, it } from 'vitest'
import { singleFlight } from '../../src/work/turns.ts'

/** Work that ends when the test says so. */
function startRuns() {
  const runs: PromiseWithResolvers<string>[] = []
  const flight = singleFlight(() => {
    const run = Promise.withResolvers<string>()
    runs.push(run)
    return run.promise
  })
  return { runs, flight }
}

describe('work that many ask for at once', () => {
  it('is done once for all of them, and again for whoever asks when it is done', async () => {
    const { runs, flight } = startRuns()
    const both = [flight.run(), flight.run()]
    runs[0]?.resolve('first')
    expect(await Promise.all(both)).toEqual(['first', 'first'])
    expect(flight.underWay()).toBeUndefined()

    const next = flight.run()
    runs[1]?.resolve('second')
    expect(await next).toBe('second')
    expect(runs).toHaveLength(2)
  })

  it('fails for all of them, and is tried again for whoever asks afterwards', async () => {
    const { runs, flight } = startRuns()
    const both = Promise.allSettled([flight.run(), flight.run()])
    runs[0]?.reject(new Error('away'))
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])

    const next = flight.run()
    runs[1]?.resolve('there')
    expect(await next).toBe('there')
  })
})
