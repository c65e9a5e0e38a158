// Interleavings of the engine: whatever dies, sleeps, comes late or comes twice, nothing is sent twice, nothing is called
// done that is not, and everybody gets a verdict. Many more in `test:full`.
import { it } from 'vitest'
import { explore } from './interleaving/explore.ts'

it('sends each intent once at most, and ends it in a verdict that is true, in whatever order things happen', async () => {
  await explore(10)
})
