// The tables of a database: `migrate` brings them up to this version; `lookAt` says what `migrate` would do.
import { refusalFor } from './problem.ts'
import type { Engine, Sql } from './sql.ts'
import { keyChecksIn } from './stores.ts'

/**
 * Makes the tables, or brings them up to date. If they are up to date, nothing is written, and the database’s user needs no
 * right to make tables. Processes that start together take turns.
 * @param where - Names the database in errors.
 * @throws ConfigError when a newer version of Bellhop has worked on this database.
 */
export async function migrate(db: Engine, where: string, all = allMigrations): Promise<void> {
  if ((await pendingMigrations(db, db.tables, where, all)).length === 0) return
  await db.transaction('bellhop migrations', async (sql) => {
    // Looked up again, now that it is this process’s turn: another one may have made them meanwhile.
    const pending = await pendingMigrations(sql, db.tables, where, all)
    await sql.run('create table if not exists migrations (name text primary key)')
    for (const [name, text] of pending) {
      const statements = text.split(/;\s*$/m).filter((one) => one.trim() !== '')
      for (const statement of statements) await sql.run(statement)
      await sql.run('insert into migrations values (?)', [name])
    }
  })
}

/**
 * Lists the migrations that are left to make, by name and oldest first. Changes nothing.
 * @throws ConfigError as `migrate`.
 */
async function pendingMigrations(sql: Sql, tables: string, where: string, all = allMigrations) {
  const there = await sql.all<{ name: string }>(tables)
  const isNew = !there.some(({ name }) => name === 'migrations')
  const rows = isNew
    ? []
    : await sql.all<{ name: string }>('select name from migrations order by name')
  const made = rows.map(({ name }) => name)
  const unknown = made.filter((name) => !Object.hasOwn(all, name))
  if (unknown.length > 0) {
    const newer = `was last used by a newer version of Bellhop (it has ${unknown.join(', ')}).`
    const remedy = 'Start that version, or restore an earlier copy of the database.'
    throw refusalFor(where, `${newer} ${remedy}`)
  }
  return Object.entries(all).filter(([name]) => !made.includes(name))
}

export type Inspection = Awaited<ReturnType<typeof lookAt>>

/**
 * Looks at an open database, and tries a write, which is rolled back.
 * @param version - SQL that selects the engine’s name and version as `engine`.
 * @throws ConfigError as `migrate`; else what a statement throws.
 */
export async function lookAt(db: Engine, version: string, where: string) {
  const isUpToDate = (await pendingMigrations(db, db.tables, where)).length === 0
  const takenBack = new Error('taken back')
  const trying = db.transaction('bellhop doctor', async (sql) => {
    const row = `insert into kept values ('doctor', '', '', '', '', 0, 0)`
    await sql.run(isUpToDate ? row : 'create table bellhop_doctor (n integer)')
    throw takenBack
  })
  await trying.catch((error: unknown) => {
    if (error !== takenBack) throw error
  })
  const [found] = await db.all<{ engine: string }>(version)
  /** Sealed texts that show whether the keys are those that sealed this database. */
  const keyChecks = isUpToDate ? await keyChecksIn({ db, now: Date.now }).all() : []
  return { engine: found?.engine ?? '', isUpToDate, keyChecks }
}

/** The first tables, the same on both engines. A new database gets all of them at once. */
const baseline = `
  create table accounts (
    workspace_id text not null, user_id text not null, token text not null,
    kept_at bigint not null, primary key (workspace_id, user_id)
  );

  create table kept (
    kind text not null, key text not null, workspace_id text not null, user_id text not null,
    value text not null, kept_at bigint not null, until bigint not null,
    primary key (kind, key, workspace_id)
  );
  create index kept_of_person on kept (workspace_id, user_id, kind, kept_at) where user_id <> '';
  create index kept_until on kept (until);

  create table docs (
    kind text not null, workspace_id text not null, id text not null, owner_id text not null,
    ref text not null, claim text, due_at bigint, kept_at bigint not null, doc text not null,
    primary key (kind, workspace_id, id)
  );
  -- The one thing that keeps two processes from beginning the same.
  create unique index docs_one_claim on docs (kind, workspace_id, claim) where claim is not null;
  create index docs_of_owner on docs (kind, workspace_id, owner_id, kept_at);
  -- In the order of what is asked, so that no other index looks better to an engine without figures.
  create index docs_about on docs (kind, workspace_id, ref, kept_at) where ref <> '';
  create index docs_due on docs (kind, due_at, owner_id, workspace_id, id) where due_at is not null;
  create index docs_kept_at on docs (kind, kept_at);

  -- Lists that a document stands in beside that, written with it.
  create table docs_listed (
    kind text not null, list text not null, workspace_id text not null, place bigint not null,
    id text not null, primary key (kind, list, workspace_id, place, id)
  );

  create table audit_records (
    -- The one thing that keeps two processes from writing the same place in the chain.
    seq integer primary key, at bigint not null, workspace_id text not null,
    key text not null, key_id text not null, mac text not null, body text not null,
    email text
  );
  -- An event is recorded once.
  create unique index audit_records_once on audit_records (workspace_id, key);
  create index audit_records_email on audit_records (email) where email is not null;
`

/** Oldest first: the next change of a table is the next entry. Databases hold the names, which never change. */
export const allMigrations: Readonly<Record<string, string>> = { '0001-baseline': baseline }
