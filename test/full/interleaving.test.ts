// Ten thousand interleavings of the engine: see test/send/interleaving.test.ts.
import { it } from 'vitest'
import { explore } from '../send/interleaving/explore.ts'

it('sends each intent once at most, and ends it in a verdict that is true, ten thousand times', async () => {
  await explore(10_000)
}, 1_800_000)
