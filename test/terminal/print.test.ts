// Prints of the commands, and that nothing else of them prints.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ConfigError, UserError } from '../../src/errors.ts'
import { type Print, printTo } from '../../src/terminal/command.ts'
import { anyCharacter } from '../any-text.ts'

const steers = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u

function printedBy(work: (print: Print) => void): string {
  const printed: string[] = []
  const take = (text: string) => void printed.push(text)
  work(printTo({ log: take, error: take, write: async (text) => take(text) }))
  return printed.join('\n')
}

describe('what a command prints', () => {
  it('is a line for each line that it has, whatever is in them', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter }), { minLength: 1 }), (texts) => {
        const lines = printedBy((print) =>
          print.lines(texts.map((text) => `${text}\u001b[2J\n\u202e`)),
        ).split('\n')
        expect(lines).toHaveLength(texts.length)
        for (const line of lines) expect(line).not.toMatch(steers)
      }),
    )
  })

  it('is the problems of settings, and of a defect where it happened', () => {
    const nasty = 'odd\u001b[2J\u009b1A'
    expect(printedBy((print) => print.error(new ConfigError([`${nasty}\nB`, 'A'])))).toBe(
      'odd [2J 1A B\nA',
    )
    const started = new ConfigError([`${nasty}\n  - B`, 'A'])
    expect(printedBy((print) => print.error(started, 'Cannot start:'))).toBe(
      'Cannot start:\n  - odd [2J 1A   - B\n  - A',
    )
    expect(printedBy((print) => print.error(new UserError(nasty)))).toBe('odd [2J 1A')
    const defect = printedBy((print) =>
      print.error(new TypeError(nasty, { cause: new Error(nasty) })),
    )
    expect(defect).toMatch(/^TypeError: odd {1,}\[2J/)
    expect(defect).toMatch(/^ +at .*print\.test\.ts/m)
    expect(defect).toContain('[cause]: Error: odd')
    expect(defect.replaceAll('\n', '')).not.toMatch(steers)
  })

  it('goes through there', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.ts'),
    )
    const printing = sources.filter((path) =>
      /\bconsole\.|process\.std(?:out|err)\.write/.test(readFileSync(join('src', path), 'utf8')),
    )
    expect(printing).toEqual(['terminal/command.ts'])
  })
})
