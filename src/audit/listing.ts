// Lists the trail: records and look-ups together, oldest first, as lines for people, for spreadsheets or for programs.
import { z } from 'zod'
import { foldEmail } from './chain.ts'
import {
  type AuditLookUps,
  type AuditRecords,
  beginning,
  type ChainedRecord,
  type KeptLookUp,
} from './trail.ts'

const standing = z.object({ ownerId: z.number().nullable(), isClosed: z.boolean() })

const body = z.object({
  userId: z.string().optional(),
  act: z.string(),
  outcome: z.string(),
  ks: z.string().optional(),
  containerId: z.number().optional(),
  emailDigest: z.string().optional(),
  permissions: z.array(z.string()).optional(),
  member: z.boolean().optional(),
  authProvider: z.string().optional(),
  askerId: z.string().optional(),
  approverId: z.string().optional(),
  cause: z.string().optional(),
  reference: z.string().optional(),
  before: standing.optional(),
  after: standing.optional(),
  isCorrection: z.boolean().optional(),
})

const lookUpBody = z.object({ ks: z.string(), outcome: z.string() })

/** One thing that happened. */
export interface TrailLine extends Omit<z.infer<typeof body>, 'emailDigest'> {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Its number in the chain; look-ups have none. */
  readonly seq: number | undefined
  readonly workspaceId: string
  readonly email: string | undefined
  readonly isErased: boolean
}

export interface Filter {
  /** Milliseconds since 1970, as `until`, which is not included. */
  readonly since: number
  readonly until: number | undefined
  /** A person's id in Slack, or a mail address. */
  readonly who: string | undefined
  readonly act: string | undefined
}

const pageSize = 500

export async function* list(
  stores: { readonly records: AuditRecords; readonly lookUps: AuditLookUps },
  filter: Filter,
): AsyncGenerator<TrailLine> {
  const { until = Number.POSITIVE_INFINITY } = filter
  const records = linesOf(stores.records, filter.since)
  const lookUps = lookUpLines(stores.lookUps, filter.since)
  let record = await records.next()
  let lookUp = await lookUps.next()
  while (!record.done || !lookUp.done) {
    const isRecord = lookUp.done || (!record.done && record.value.at <= lookUp.value.at)
    const line = isRecord ? record.value : lookUp.value
    if (line === undefined || line.at >= until) return
    if (matches(line, filter)) yield line
    if (isRecord) record = await records.next()
    else lookUp = await lookUps.next()
  }
}

function matches(line: TrailLine, { who, act }: Filter): boolean {
  if (act !== undefined && line.act !== act) return false
  if (who === undefined) return true
  const { userId, askerId, approverId, email } = line
  return [userId, askerId, approverId].includes(who) || email === foldEmail(who)
}

async function* linesOf(records: AuditRecords, since: number): AsyncGenerator<TrailLine, undefined> {
  let after = (await records.checkpoint())?.seq ?? beginning.seq
  for (;;) {
    const page = await records.page({ after, since, most: pageSize })
    yield* page.map(lineOf)
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.seq
  }
}

/** One that cannot be read is no record of ours: it is shown as such, and verifying names it. */
function lineOf({ seq, at, workspaceId, body: text, email }: ChainedRecord): TrailLine {
  const read = body.safeParse(parsed(text))
  if (!read.success) return { seq, at, workspaceId, email, isErased: false, act: 'unreadable', outcome: '' }
  const { emailDigest, ...rest } = read.data
  return { ...rest, seq, at, workspaceId, email, isErased: emailDigest !== undefined && email === undefined }
}

async function* lookUpLines(lookUps: AuditLookUps, since: number): AsyncGenerator<TrailLine, undefined> {
  let after: KeptLookUp | undefined
  for (;;) {
    const page = await lookUps.page({ after, since, most: pageSize })
    yield* page.map(lineOfLookUp)
    after = page.at(-1)
    if (after === undefined || page.length < pageSize) return
  }
}

function lineOfLookUp({ at, workspaceId, userId, body: text }: KeptLookUp): TrailLine {
  const where = { seq: undefined, at, workspaceId, userId, email: undefined, isErased: false }
  const read = lookUpBody.safeParse(parsed(text))
  return read.success
    ? { ...where, act: 'look-up', ...read.data }
    : { ...where, act: 'unreadable', outcome: '' }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
