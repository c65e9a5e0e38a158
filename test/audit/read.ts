// Reads what a world's bot has written down.
import { createChain } from '../../src/audit/chain.ts'
import { list, type TrailLine } from '../../src/audit/listing.ts'
import { verify } from '../../src/audit/verify.ts'
import { parseKept } from '../../src/config/config.ts'
import { openUrl } from '../storage/files.ts'

type Env = { readonly env: Readonly<Record<string, string>> }

/** All of it, oldest first. */
export async function trailOf({ env }: Env): Promise<readonly TrailLine[]> {
  const { auditRecords } = await openUrl(parseKept(env).databaseUrl)
  const lines: TrailLine[] = []
  const filter = { since: 0, until: undefined, who: undefined, act: undefined }
  for await (const line of list(auditRecords, filter)) lines.push(line)
  return lines
}

export async function verdictOn({ env }: Env) {
  const { databaseUrl, encryptionKeys } = parseKept(env)
  return verify((await openUrl(databaseUrl)).auditRecords, createChain(encryptionKeys))
}

/** Act and outcome of each line, in a word. */
export async function actsOf(world: Env): Promise<readonly string[]> {
  return (await trailOf(world)).map(({ act, outcome }) => `${act} ${outcome}`)
}
