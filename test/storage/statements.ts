// Each statement of the stores, and tables filled as with use: how an engine answers them.
import { docsOf } from '../../src/storage/docs.ts'
import type { Database } from '../../src/storage/problem.ts'
import type { Engine, Sql, Value } from '../../src/storage/sql.ts'
import { assemble } from '../../src/storage/storage.ts'

const [workspaceId, userId] = ['T1', 'U1']
const person = { workspaceId, userId }
export const at = 1_800_000_000_000

/** Read all of a table on purpose, seldom and where nobody waits, or a table with one row for each person or key. */
export const wholeOnPurpose = [
  /^select workspace_id "workspaceId", user_id "userId"(, token)? from accounts where (substr|kept_at)/,
  /^select key "keyId".* from kept where kind = 'key-check'/,
  /^delete from (accounts|docs|docs_listed|kept) where workspace_id = \?$/,
  /^select seq, .* where workspace_id = '' and key like 'cut:%'/,
]

/** Notes each statement that goes through an engine, by its text, with values that it once had. */
function noting(db: Engine, seen: Map<string, readonly Value[]>): Engine {
  const noted = (sql: Sql): Sql => ({
    all: (text, values = []) => {
      seen.set(text, values)
      return sql.all(text, values)
    },
    run: (text, values = []) => {
      seen.set(text, values)
      return sql.run(text, values)
    },
  })
  return {
    ...noted(db),
    tables: db.tables,
    runLasting: (text, values = []) => {
      seen.set(text, values)
      return db.runLasting(text, values)
    },
    transaction: (turn, work) => db.transaction(turn, (sql) => work(noted(sql))),
  }
}

interface Doc {
  readonly workspaceId: string
  readonly id: string
  readonly dueAt: number
}

const facets = ({ id, dueAt }: Doc) => ({
  ownerId: `U${Number(id) % 500}`,
  ref: Number(id) % 3 === 0 ? '' : `about ${Number(id) % 500}`,
  claim: Number(id) % 2 === 0 ? id : null,
  dueAt,
  lists: { [`list ${Number(id) % 500}`]: dueAt },
})

const docOf = (n: number): Doc => ({ workspaceId, id: String(n), dueAt: at + n })

/** Each store, asked as the rooms ask it. */
async function askEach(database: Database): Promise<void> {
  const stores = assemble(database)
  const docs = docsOf<Doc>(database, 'card', facets)
  const key = { workspaceId, id: '1' }
  await docs.insert(() => docOf(1))
  await docs.find(key)
  await docs.change(key, (doc) => ({ ...doc, dueAt: doc.dueAt + 1 }))
  await docs.list({ workspaceId, newest: 5 })
  for (const by of [{ ownerId: 'U1' }, { ref: 'about 1' }, { claim: '2' }]) {
    await docs.list({ workspaceId, ...by })
    await docs.list({ workspaceId, ...by, newest: 5 })
  }
  await docs.inList('list 1', workspaceId)
  await docs.inList('list 1')
  await docs.count('list 1')
  const follows = docsOf<Doc>(database, 'follow', facets)
  await follows.countAll()
  await follows.firstDue(5)
  await docs.takeDue((doc, now) => ({ ...doc, dueAt: now + 1_000_000 }), 10, 60_000)
  await docs.change(key, () => 'gone')
  await docs.drop(key)
  await stores.cards.prune(at - 1, 'live-card')
  const seal = () => {
    throw new Error('nothing is sealed here')
  }
  await stores.accounts.keep(person, 'k.x')
  await stores.accounts.find(person)
  await stores.accounts.reseal(person, 'k.x', 'k.y')
  await stores.accounts.sealedByOthers('k')
  await stores.accounts.keptFor(1)
  await stores.accounts.forget(person)
  await stores.once.claim(workspaceId, 'k')
  await stores.once.isClaimed(workspaceId, 'k')
  await stores.once.release(workspaceId, 'k')
  await stores.connectLinks.find({ key: 'k' })
  await stores.waiting.find({ workspaceId, userId })
  await stores.ownIds.find(person)
  await stores.ownIds.personOf(workspaceId, 7)
  await stores.alertLinks.keyOf(person, { asset: 1, timestamp: 2 })
  await stores.places.find(workspaceId, 'k')
  await stores.places.some(workspaceId, ['k'])
  await stores.keyChecks.all()
  const entry = { workspaceId, key: 'k', act: 'connect', outcome: 'done' } as const
  await stores.auditRecords.append([entry], seal).catch(() => undefined)
  await stores.auditRecords.page({ after: 0, since: 1, most: 5 })
  await stores.auditRecords.erase('dave@example.com')
  await stores.auditRecords.newestOlderThan(1)
  await stores.auditRecords.newestCut()
  await stores.auditRecords.drop(1)
  await stores.forgetPerson(person)
  await stores.forgetWorkspace('T9')
  await stores.prune()
}

/** Fills what grows with use. @param rows - Of documents, of what is kept, and of records. */
export async function fill({ db }: Database, rows = 3_000): Promise<void> {
  await db.transaction('filling', async (sql) => {
    for (let n = 100; n < rows; n += 1) {
      const { ownerId, ref, claim, dueAt } = facets(docOf(n))
      const kind = n % 100 === 0 ? 'follow' : 'card'
      await sql.run('insert into docs values (?, ?, ?, ?, ?, ?, ?, ?, ?)', [
        kind,
        workspaceId,
        String(n),
        ownerId,
        ref,
        claim,
        dueAt,
        at + n,
        JSON.stringify(docOf(n)),
      ])
      await sql.run('insert into docs_listed values (?, ?, ?, ?, ?)', [
        kind,
        `list ${n % 500}`,
        workspaceId,
        dueAt,
        String(n),
      ])
      await sql.run('insert into kept values (?, ?, ?, ?, ?, ?, ?)', [
        n % 2 === 0 ? 'once' : 'link',
        `k${n}`,
        workspaceId,
        `U${n % 500}`,
        'v',
        at,
        at + n,
      ])
      if (n % 10 === 0)
        await sql.run('insert into accounts values (?, ?, ?, ?)', [
          workspaceId,
          `U${n}`,
          'k.x',
          at + n,
        ])
      await sql.run('insert into audit_records values (?, ?, ?, ?, ?, ?, ?, ?)', [
        n,
        at + n,
        workspaceId,
        `key ${n}`,
        'k',
        'm',
        '{}',
        null,
      ])
    }
  })
}

/** The statements of all stores, by their text, each with values that it once had. */
export async function statementsOf(
  database: Database,
): Promise<ReadonlyMap<string, readonly Value[]>> {
  const seen = new Map<string, readonly Value[]>()
  await askEach({ ...database, db: noting(database.db, seen) })
  return seen
}
