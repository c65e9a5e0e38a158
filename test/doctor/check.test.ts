// Checks side by side: none holds up or stops another.
import { describe, expect, it } from 'vitest'
import { type Check, type Finding, runChecks } from '../../src/doctor/check.ts'
import { createLog } from '../../src/log/log.ts'

const log = createLog({ level: 'silent' })
const green = (name: string): Finding => ({ name, state: 'green', found: 'Well.' })
const check = (name: string, run: Check['run']): Check => ({ name, run })

describe('checks', () => {
  it('that are too slow are said to be, and the others are told all the same', async () => {
    const findings = await runChecks(
      [
        check('First', async () => [green('First'), green('Second')]),
        check('Stuck', () => new Promise(() => {})),
        check('Last', async () => [green('Last')]),
      ],
      log,
      20,
    )

    expect(findings).toEqual([
      {
        name: 'Stuck',
        state: 'red',
        found: 'There was no answer within 0.02 seconds.',
        mend: expect.stringMatching(/^Try again/),
      },
      green('First'),
      green('Second'),
      green('Last'),
    ])
  })

  it('that fail are said to, without what the error says', async () => {
    const failing = check('Broken', async () => {
      throw Object.assign(new Error('secret-token'), { code: 'EIO' })
    })
    const odd = check('Odd', async () => {
      throw new TypeError('secret-token')
    })

    const findings = await runChecks([failing, odd], log)

    expect(findings).toMatchObject([
      { name: 'Broken', state: 'red', found: expect.stringContaining('(EIO)') },
      { name: 'Odd', state: 'red', found: expect.stringContaining('(TypeError)') },
    ])
    expect(JSON.stringify(findings)).not.toContain('secret-token')
  })
})
