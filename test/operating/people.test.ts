// Data about people: the table of SECURITY.md has each table of the database, what of it is sealed, and how long it stays.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { replayMs } from '../../src/slack/guard/requests.ts'
import { keptMs } from '../../src/storage/storage.ts'
import { smallMs } from '../../src/storage/stores.ts'
import { openFile } from '../database-folder.ts'
import { open, temporaryFile } from '../storage/files.ts'

interface Row {
  readonly table: string
  readonly holds: string
  readonly sealed: string
  readonly stays: string
}

const [, page = ''] = readFileSync('SECURITY.md', 'utf8').split(
  '\n## What is stored about people\n',
)

const rows: readonly Row[] = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [, table = '', holds = '', sealed = '', stays = ''] = line
      .split('|')
      .map((cell) => cell.trim())
    return { table: table.replaceAll('`', ''), holds, sealed, stays }
  })

const rowOf = (table: string) => rows.find((row) => row.table === table)

/** In words, as in `90 days`. */
function inWords(ms: number): string {
  const hours = ms / 3_600_000
  const [count, unit] = hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour']
  return count === 1 ? `${unit === 'hour' ? 'an' : 'a'} ${unit}` : `${count} ${unit}s`
}

describe('what SECURITY.md says is stored about people', () => {
  it('has each table of the database, and no other', async () => {
    const path = temporaryFile()
    await (await open(path)).close()
    const all = openFile(path).prepare("select name from sqlite_master where type = 'table'").all()
    const own = all.map(({ name }) => String(name)).filter((name) => name !== 'migrations')
    expect(rows.map(({ table }) => table).toSorted()).toEqual(own.toSorted())
    expect(rows.filter(({ holds, stays }) => holds === '' || stays === '')).toEqual([])
  })

  it('says what is sealed, and of nothing else that it is', () => {
    const said = rows.flatMap(({ table, sealed }) =>
      [...sealed.matchAll(/`(\w+)`/g)].map(([, name]) => `${table}.${name}`),
    )
    expect(said.toSorted()).toEqual(['accounts.token', 'kept.value'])
  })

  it.each([
    ['docs', keptMs],
    ['kept', smallMs.alertLinks],
    ['kept', smallMs.once],
    ['kept', replayMs],
  ] as const)('says how long %s stay, as it is kept', (table, ms) => {
    expect(rowOf(table)?.stays).toContain(inWords(ms))
  })
})
