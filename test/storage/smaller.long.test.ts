// A SQLite file that is larger than what is in it: the command of docs/running.md makes it smaller.
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { open, temporaryFile } from './files.ts'

const [, script = ''] = /^node -e "(new \(.*vacuum.*)"$/m.exec(readFileSync('docs/running.md', 'utf8')) ?? []

it('a file whose records were forgotten is made smaller as the documents say, and keeps what is left', async () => {
  const path = temporaryFile()
  await (await open(path)).close()
  const database = new DatabaseSync(path)
  database.exec(`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 2000)
    insert into kept select 'x', n || hex(zeroblob(1000)), 'T1', '', '', 0, 0 from numbers;
    delete from kept;
    insert into kept values ('once', 'kept', 'T1', '', '', 0, ${2 * Date.now()})`)
  database.close()
  const before = statSync(path).size

  execFileSync(process.execPath, ['-e', script], { cwd: dirname(dirname(path)) })

  expect(statSync(path).size).toBeLessThan(before / 4)
  expect(await (await open(path)).once.claim('T1', 'kept')).toBe(false)
})
