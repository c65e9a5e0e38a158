// `npm run audit`: reads the audit trail, verifies it, and takes addresses out of it. Needs the database and its keys.
import { acts, type Order, parseArguments } from '../audit/arguments.ts'
import { createChain, foldEmail, verify } from '../audit/chain.ts'
import { formatLine, headOf, list } from '../audit/listing.ts'
import { reportOn } from '../audit/render-verdict.ts'
import { type Config, type Environment, parseKept } from '../config/config.ts'
import { ConfigError, UserError } from '../errors.ts'
import { sameNameProblems } from '../keys/key-checks.ts'
import { needDatabase, openStorage, type Storage } from '../storage/storage.ts'
import { type Print, runHere } from './command.ts'

/** 0: done, and the trail holds. 1: it does not hold, or cannot be verified. 2: it could not be looked at. */
type ExitCode = 0 | 1 | 2

const help = `Reads Bellhop's audit trail. Needs DATABASE_URL and ENCRYPTION_KEYS.

  npm run audit -- --since 7d            shows what happened, oldest first; default: the last 7 days
      --until 2026-01-31T08:00           stops there; both take an age (30m, 12h, 7d, 2w) or a time in UTC
      --who U0123ABCDEF                  only what this person did, asked for or approved, by Slack id;
                                         or what others did for this email address
      --act grant                        ${acts.slice(0, 7).join(', ')},
                                         ${acts.slice(7).join(', ')}
      --format text | csv | jsonl        default: text
  npm run audit -- --verify              checks whether a record was changed, removed or added; exits with 1 if so
      --head 1204:kS0v…                  also checks whether the newest records are missing: auditHead from the log
  npm run audit -- --erase a@example.com removes this address from all records; the trail still verifies.
                                         Grants and requests keep the address for up to 90 days
`

export async function runAudit(words: readonly string[], env: Environment, print: Print): Promise<ExitCode> {
  const order = parseArguments(words, Date.now())
  if (order.kind === 'help') {
    await print.text(help)
    return 0
  }
  try {
    if (order.kind === 'problem') throw new UserError(order.problem)
    return await run(order, env, print)
  } catch (error) {
    // Not 1: that says that the trail does not hold.
    print.error(error)
    return 2
  }
}

type Task = Exclude<Order, { readonly kind: 'help' | 'problem' }>

async function run(task: Task, env: Environment, print: Print): Promise<ExitCode> {
  const { databaseUrl, encryptionKeys } = parseKept(env)
  needDatabase(databaseUrl)
  const storage = await openStorage({ url: databaseUrl, now: Date.now })
  try {
    return await obey(task, { storage, keys: encryptionKeys, print })
  } finally {
    await storage.close()
  }
}

interface AuditRoom {
  readonly storage: Storage
  readonly keys: Config['encryptionKeys']
  readonly print: Print
}

async function obey(task: Task, { storage, keys, print }: AuditRoom): Promise<ExitCode> {
  const { auditRecords, auditLookUps, keyChecks, scrub } = storage
  switch (task.kind) {
    case 'verify': {
      const wrong = sameNameProblems(await keyChecks.all(), keys)
      if (wrong.length > 0) throw new ConfigError(wrong)
      const { lines, isSound } = reportOn(await verify(auditRecords, createChain(keys), task.head))
      await print.text(`${lines.join('\n')}\n`)
      return isSound ? 0 : 1
    }
    case 'erase': {
      const count = await auditRecords.erase(foldEmail(task.email))
      await scrub()
      await print.text(
        count === 0
          ? 'No record holds this address.\n'
          : `Removed the address from ${count === 1 ? '1 record' : `${count} records`}. Grants and requests keep it for up to 90 days.\n`,
      )
      return 0
    }
    case 'list': {
      await print.text(headOf(task.format))
      const lines = list({ records: auditRecords, lookUps: auditLookUps }, task.filter)
      for await (const line of lines) await print.text(formatLine(line, task.format))
      return 0
    }
    default:
      return task satisfies never
  }
}

if (import.meta.main) await runHere(runAudit)
