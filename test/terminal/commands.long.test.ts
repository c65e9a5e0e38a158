// Each command as a process: what it ends with, and what it prints where. All else of it is tested by its function.
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config/config.ts'
import { type Ran, runFile } from './run-command.ts'

const nothing = { printed: '' }

describe('a command that is run as a process', () => {
  it.each<readonly [name: string, words: readonly string[], expected: Partial<Ran>]>([
    [
      'audit',
      ['--nonsense'],
      {
        ...nothing,
        exitCode: 2,
        complaint: "Unknown option '--nonsense'. --help lists the options.\n",
      },
    ],
    [
      'backup',
      [],
      {
        ...nothing,
        exitCode: 1,
        complaint: expect.stringMatching(/^Name the file to copy to[^\n]+\n$/),
      },
    ],
    [
      'doctor',
      [],
      { exitCode: 1, printed: expect.stringContaining('checks need attention.'), complaint: '' },
    ],
    [
      'manifest',
      ['--yaml'],
      {
        ...nothing,
        exitCode: 1,
        complaint: expect.stringMatching(/^npm run manifest prints[^\n]+\n$/),
      },
    ],
    [
      'rotate-keys',
      ['k1'],
      {
        ...nothing,
        exitCode: 2,
        complaint: expect.stringMatching(/^npm run rotate-keys takes[^\n]+\n$/),
      },
    ],
  ])(
    'tells what it came to by how it ends, and complains on standard error: %s',
    async (name, words, expected) => {
      const ran = await runFile(
        `src/terminal/${name}.ts`,
        { DATABASE_URL: 'mysql://host/bellhop' },
        words,
      )
      expect(ran).toMatchObject(expected)
    },
  )

  it('prints a key that ENCRYPTION_KEYS takes: keygen', async () => {
    const { exitCode, printed, complaint } = await runFile('src/terminal/keygen.ts', {})

    expect([exitCode, complaint]).toEqual([0, ''])
    const { encryptionKeys } = parseConfig({
      SLACK_BOT_TOKEN: 'xoxb-1-2-abc',
      SLACK_SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
      MONITOR_API_URL: 'https://monitoring.example.com',
      ENCRYPTION_KEYS: printed.trim(),
    })
    expect(encryptionKeys).toHaveLength(1)
  })
})
