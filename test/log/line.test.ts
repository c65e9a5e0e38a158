// The log in a terminal: one readable line an event, with no secret in it either.
import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readableLine } from '../../src/log/line.ts'
import { createLog } from '../../src/log/log.ts'

function openLog() {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  return { lines, log: createLog({ level: 'debug', destination, isForReading: true }) }
}

const plain = (line = '') => stripVTControlCharacters(line)

describe('a line in a terminal', () => {
  it('has the time, the level, the message and the rest', () => {
    const { lines, log } = openLog()
    log.info({ port: 3000, transport: 'socket' }, 'Bellhop is up')
    expect(plain(lines[0])).toMatch(
      /^\d\d:\d\d:\d\d info {2}Bellhop is up {2}port=3000 {2}transport=socket\n$/,
    )
  })

  it('has an error with its causes, and no stack', () => {
    const { lines, log } = openLog()
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    log.warn({ err: new TypeError('no answer', { cause }) }, 'look')
    expect(plain(lines[0])).toMatch(
      /warn {2}look {2}TypeError: no answer {2}because Error: refused \(ECONNREFUSED\)\n$/,
    )
  })

  it.each([
    { token: 'opaque-4711' },
    { botToken: ['opaque-4711'] },
    { body: JSON.stringify({ token: 'opaque-4711' }) },
    { a: { b: [{ authorization: 'Bearer opaque-4711' }] } },
    { err: new Error('xoxb-1-opaque-4711') },
    { body: JSON.stringify({ payload: JSON.stringify({ token: 'opaque-4711' }) }) },
  ])('has no secret: %o', (fields) => {
    const { lines, log } = openLog()
    log.warn(fields, 'look')
    expect(lines.join('')).not.toContain('opaque-4711')
  })

  it('is one line, whatever is in it, and obeys nobody', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
        const { lines, log } = openLog()
        log.info({ value, text, err: new Error(`${text}\u001b[2J\n`) }, `${text}\u001b[2J\n`)
        const [line = ''] = lines
        expect(lines).toHaveLength(1)
        expect(plain(line).slice(0, -1)).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      }),
    )
  })

  it.each(['\n', '\r', '\u0085', '\u2028', '\u2029', '\u001b[2J', '\u009b2J'])(
    'has no %j of what is logged',
    (sign) => {
      const { lines, log } = openLog()
      log.info({ value: [sign], text: sign }, `a${sign}b`)
      expect(plain(lines[0]).slice(0, -1)).not.toContain(sign)
    },
  )

  it('that is not JSON stays as it is', () => {
    expect(readableLine('hello\n')).toBe('hello\n')
  })
})
