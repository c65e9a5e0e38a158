// Tools for the tests of `npm run rotate-keys`: keys, the command as a process, and a look into every column.
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { sealedColumns } from '../../src/storage/stores/keys.ts'
import { runRotateKeys } from '../../src/terminal/rotate-keys.ts'
import { runCommand } from '../terminal/run-command.ts'

export function newKey(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`
}

export function rotateKeys(env: Readonly<Record<string, string>>, ...words: string[]) {
  return runCommand(runRotateKeys, env, words)
}

/** The columns (`table.column`) of a SQLite file in which some text names this key, and how many rows each. */
export function columnsNaming(keyId: string, url: string): Readonly<Record<string, number>> {
  const database = new DatabaseSync(url.replace('file:', ''), { timeout: 5_000 })
  try {
    const columns = database
      .prepare(
        "select m.name as t, c.name as c from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'",
      )
      .all()
    const counted = columns.map(({ t, c }) => {
      const row = database
        .prepare(`select count(*) as n from "${t}" where instr("${c}", ?) > 0`)
        .get(`${keyId}.`)
      return [`${t}.${c}`, Number(row?.n)] as const
    })
    return Object.fromEntries(counted.filter(([, count]) => count > 0))
  } finally {
    database.close()
  }
}

/** All that is sealed in a SQLite file, as it stands there; what checks a key, too. */
export function sealedTexts(url: string): readonly string[] {
  const database = new DatabaseSync(url.replace('file:', ''), { timeout: 5_000 })
  try {
    const checks = { table: 'key_checks', column: 'sealed', kind: undefined }
    return [...Object.values(sealedColumns), checks].flatMap(({ table, column, kind }) =>
      database
        .prepare(`select "${column}" as text from "${table}" where ${kind ? `kind = '${kind}'` : 'true'}`)
        .all()
        .map(({ text }) => String(text)),
    )
  } finally {
    database.close()
  }
}
