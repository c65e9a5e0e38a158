// Nobody’s text can keep the bot busy: whatever goes through a text takes steps in proportion to its length. Here with
// texts of up to 2,400 characters, counted together; `test/full/growth.test.ts` counts each, and takes 40,000.
import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { growAsTheTextsDo } from './growth.ts'
import { readers } from './readers.ts'

describe('texts of 2,400 characters, whatever they are,', () => growAsTheTextsDo([600, 2_400]))

describe('whatever goes through a text of somebody’s', () => {
  it.each(Object.entries(readers))(
    'of %s is in that list',
    (_file, { all: exported, reads, others = [] }) => {
      const functions = Object.entries(exported).flatMap(([name, one]) =>
        typeof one === 'function' ? [name] : [],
      )
      expect(functions.filter((name) => !Object.hasOwn(reads, name) && !others.includes(name))).toEqual([])
    },
  )

  it('is in that list with its file, when the file is an input, or reads a line', () => {
    const inputs = globSync(['src/**/input*.ts', 'src/**/line/*.ts'])
    expect(inputs).toContain('src/alert/input.ts')
    expect(inputs).toContain('src/grant/line/line.ts')
    expect(inputs.filter((file) => !Object.hasOwn(readers, file))).toEqual([])
  })
})
