// `npm run audit`: reads the audit trail, verifies it, and takes addresses out of it. Needs the database and its keys.

import { parseArgs } from 'node:util'
import { createChain, foldEmail } from '../audit/chain.ts'
import { type Filter, formatLine, formats, headOf, list } from '../audit/listing.ts'
import { verify as verifyTrail } from '../audit/verify.ts'
import { UserError } from '../errors.ts'
import { dayMs, hourMs, minuteMs } from '../work/durations.ts'
import { runHere, terminalCommand } from './command.ts'
import { onDatabase } from './on-database.ts'

const options = {
  help: { type: 'boolean', short: 'h' },
  verify: { type: 'boolean' },
  erase: { type: 'string' },
  since: { type: 'string' },
  who: { type: 'string' },
  format: { type: 'string' },
} as const

/** @param now - Milliseconds since 1970. @throws UserError for arguments that make no sense. */
export function parseArguments(args: readonly string[], now: number) {
  const { help, verify, erase, ...asked } = valuesOf(args)
  const lists = Object.keys(asked).length > 0 || undefined
  if ([verify, erase, lists].filter((one) => one !== undefined).length > 1)
    throw new UserError('Use only one of --verify, --erase and the options that list records.')
  if (erase !== undefined && !/^\s*\S+@\S+\s*$/.test(erase))
    throw new UserError('--erase needs an email address.')

  const { since = '7d', who, format: wanted = 'text' } = asked
  const format = formats.find((one) => one === wanted)
  if (format === undefined) throw new UserError(`--format needs one of ${formats.join(', ')}.`)
  const filter: Filter = { since: timeGiven(since, now), who }
  return { help, verify, erase, filter, format }
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UserError(`${error.message.split(/\.\s/, 1)[0]}. --help lists the options.`)
  }
}

const unitMs: Readonly<Record<string, number>> = { m: minuteMs, h: hourMs, d: dayMs }

function timeGiven(text: string, now: number): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (count === undefined) throw new UserError('--since needs an age, such as 30m, 12h or 7d.')
  return now - Number(count) * (unitMs[unit] ?? 0)
}

const helpText = `Reads Bellhop's audit trail. Needs DATABASE_URL and ENCRYPTION_KEYS.

  npm run audit -- --since 12h           shows what happened, oldest first; default: the last 7 days (7d)
      --who U0123ABCDEF                  only what this person did, asked for or approved, by Slack id;
                                         or what others did for this email address
      --format text | jsonl              default: text
  npm run audit -- --verify              checks whether a record was changed, removed or added; exits with 1 if so
                                         It says where the trail ends: compare that with the newest auditHead
                                         in the log, as the newest records may be missing
  npm run audit -- --erase a@example.com removes this address from all records; the trail still verifies.
                                         Grants and requests keep the address for up to 90 days
`

/** Ends with 0: done, and the trail holds. 1: it does not hold, or cannot be verified. 2: it could not be looked at. */
export const runAudit = terminalCommand(2, async (words, env, print) => {
  const { help, verify, erase, filter, format } = parseArguments(words, Date.now())
  if (help) {
    await print.text(helpText)
    return 0
  }

  return onDatabase(env, async ({ auditRecords, scrub }, { encryptionKeys }) => {
    if (verify) {
      const { lines, isSound } = await verifyTrail(auditRecords, createChain(encryptionKeys))
      print.lines(lines)
      return isSound ? 0 : 1
    }

    if (erase !== undefined) {
      const count = await auditRecords.erase(foldEmail(erase))
      await scrub()
      const records = count === 1 ? '1 record' : `${count} records`
      const erased = `Removed the address from ${records}. Grants and requests keep it for up to 90 days.\n`
      await print.text(count === 0 ? 'No record holds this address.\n' : erased)
      return 0
    }

    await print.text(headOf(format))
    for await (const line of list(auditRecords, filter)) await print.text(formatLine(line, format))
    return 0
  })
})

if (import.meta.main) await runHere(runAudit)
