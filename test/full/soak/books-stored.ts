// Books of what is there when all is over: nothing half done, no lease held, an audit trail that verifies, no account of
// anybody who has disconnected, and bots that have ended as they were told to.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Book, Open } from './book.ts'
import type { SoakWorld } from './world.ts'

const readAudit = fileURLToPath(new URL('../../../src/terminal/audit.ts', import.meta.url))

/** What must be nothing once the bots have had their time. */
const unfinished: Readonly<Record<string, string>> = {
  'requests under way': `select count(*)::int as n from docs where kind = 'request' and doc::json->>'state' = 'sending'`,
  'requests with a word to tell': `select count(*)::int as n from docs
     where kind = 'request' and doc::json->>'isToTell' = 'true'`,
}

const liveSchema = z.object({
  id: z.string(),
  heldUntil: z.number(),
  watchers: z.array(z.object({ userId: z.string(), ended: z.unknown().optional() })),
})

const countSchema = z.array(z.object({ n: z.number() }))

/** Which of these are not nothing. */
export async function findUnfinished(world: SoakWorld): Promise<readonly string[]> {
  const found: string[] = []
  for (const [what, query] of Object.entries(unfinished)) {
    const [{ n } = { n: 0 }] = countSchema.parse(await world.query(query))
    if (n > 0) found.push(`${n} ${what}`)
  }
  return found
}

export async function checkStored({ world, ledger }: Open): Promise<Book> {
  const wrong = (await findUnfinished(world)).map((what) => `The database has ${what}.`)
  const live = z
    .array(z.object({ doc: z.string() }))
    .parse(await world.query("select doc from docs where kind = 'live-card'"))
    .map(({ doc }) => liveSchema.parse(JSON.parse(doc)))
  const held = live.filter(({ heldUntil }) => heldUntil > 0)
  wrong.push(...held.map(({ id }) => `The lease of the live card ${id} is still held.`))
  const users = z
    .array(z.object({ user_id: z.string() }))
    .parse(await world.query('select user_id from accounts'))
  const kept = new Set(users.map(({ user_id }) => user_id))
  const watching = live.flatMap(({ watchers }) => watchers.filter(({ ended }) => ended === undefined))
  for (const { person } of world.soakers) {
    const is = ledger.accounts.get(person.id) ?? 'there'
    if (is === 'gone' && kept.has(person.id))
      wrong.push(`${person.name} has disconnected, and their token is kept.`)
    if (is === 'there' && !kept.has(person.id)) wrong.push(`The account of ${person.name} is gone.`)
    if (is === 'gone' && watching.some(({ userId }) => userId === person.id))
      wrong.push(`${person.name} has disconnected, and still watches.`)
  }
  for (const { place, wanted, exitCode } of world.bots.lives) {
    if (wanted === undefined) wrong.push(`Bot ${place} has ended by itself, with ${exitCode}.`)
    if (wanted === 'stopped' && exitCode !== 0)
      wrong.push(`Bot ${place} was told to stop and ended with ${exitCode}.`)
  }
  const env = { ...world.env, PATH: process.env.PATH ?? '' }
  const audit = spawnSync(process.execPath, [readAudit, '--verify'], { env, encoding: 'utf8' })
  if (audit.status !== 0) wrong.push(`The audit trail does not hold: ${audit.stdout}${audit.stderr}`)
  const [records] = countSchema.parse(await world.query('select count(*)::int as n from audit_records'))
  return { counted: { 'audit records': records?.n ?? 0, 'accounts kept': kept.size }, wrong }
}
