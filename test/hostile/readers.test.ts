// The list of what goes through texts of somebody’s is whole: `test/full/counted/growth.test.ts` shows that nobody’s text can keep
// the bot busy, for each in that list.
import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readers } from './readers.ts'

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
