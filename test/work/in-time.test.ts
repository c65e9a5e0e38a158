// Work that is not waited for too long.
import { expect, it } from 'vitest'
import { inTime } from '../../src/work/under-way.ts'

it('gives what the work comes to, nothing when it takes longer, and fails as the work does', async () => {
  const never = new Promise<string>(() => undefined)

  expect(await inTime(Promise.resolve('done'), 60_000)).toBe('done')
  expect(await inTime(never, 1)).toBeUndefined()
  await expect(inTime(Promise.reject(new Error('no')), 60_000)).rejects.toThrow('no')
})
