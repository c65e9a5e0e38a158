// A language of chrono-node takes 60 ms and 15 MB to load, which stops acks, so only words that need it load it.
import { expect, it } from 'vitest'
import { runFile } from '../terminal/run-command.ts'

async function loadedFor(...times: readonly string[]) {
  const { exitCode, printed } = await runFile('test/grant/languages-loaded.ts', {}, times)
  expect(exitCode).toBe(0)
  return printed.split('\n').filter(Boolean)
}

it('times in numbers load no language, and words load languages until one reads them', async () => {
  const inNumbers = [
    'for 2h',
    'until 18:00',
    'until 2026-12-03',
    'until 2026-12-03 18:00',
    'until 6',
  ]
  expect(await loadedFor(...inNumbers, 'until 24.12. 18h')).toEqual([])
  expect(await loadedFor('for 2 weeks')).toEqual(['chrono-node/en'])
  expect(await loadedFor('tot vrijdag')).toEqual(['chrono-node/en', 'chrono-node/nl'])
})
