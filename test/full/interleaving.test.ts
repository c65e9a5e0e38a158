// More interleavings of the engine: see test/send/interleaving.test.ts.
import { expect, it } from 'vitest'
import { explore } from '../send/interleaving/explore.ts'

/** For a longer run: INTERLEAVINGS=10000 npm run test:full */
const count = Number(process.env.INTERLEAVINGS ?? 800)

it(`sends each intent once at most, and ends it in a verdict that is true, ${count} times`, async () => {
  expect(count).toBeGreaterThan(0)
  await explore(count)
}, 1_800_000)
