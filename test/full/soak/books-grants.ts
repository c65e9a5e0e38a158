// Every intent has one outcome, was sent at most once, and was told once; what was told is what is kept, and is true.
import { z } from 'zod'
import { type Book, type Open, wasKilledAfter, wasWrong } from './book.ts'
import type { Telling } from './ledger.ts'
import type { Verdict } from './verdicts.ts'
import { containerId } from './world.ts'

const rowSchema = z.object({
  id: z.string(),
  sender_id: z.string(),
  state: z.string(),
  email: z.string(),
  outcome: z.enum(['granted', 'not-granted', 'uncertain']).nullable(),
})
const approvalSchema = z.object({
  asker_id: z.string(),
  approver_id: z.string().nullable(),
  email: z.string(),
  attempt: z.number(),
  ending: z.string().nullable(),
})

const words = { granted: 'Granted', 'not-granted': 'Not granted', uncertain: 'Not certain' } as const

const outcome = `send->'outcome'->>'kind'`
/** One row for each send, with the state it is in. */
const sendsKept = `
  select id || ' ' || (send->>'n') as id, send->'write'->>'email' as email, doc->'sender'->>'userId' as sender_id,
      case when ${outcome} = 'not-sent' then 'never-sent' when ${outcome} is not null then 'settled'
        when send->>'hasBegun' = 'true' then 'sending' else 'asked' end as state,
      case ${outcome} when 'done' then 'granted' when 'not-done' then 'not-granted'
        when 'uncertain' then 'uncertain' end as outcome
    from (select id, doc::jsonb as doc from docs where kind = 'request') as kept,
      jsonb_array_elements(kept.doc->'sends') as send
    where send->'write'->>'kind' = 'add-user'`

export async function checkGrants(open: Open): Promise<Book> {
  const { world, ledger } = open
  const rows = z.array(rowSchema).parse(await world.query(sendsKept))
  const approvals = z.array(approvalSchema).parse(
    await world.query(
      `select owner_id as asker_id, doc->'approval'->'approver'->>'userId' as approver_id,
           doc->'sends'->0->'write'->>'email' as email, (doc->>'attempt')::int as attempt,
           case doc->>'end' when 'sent' then 'approved' else doc->>'end' end as ending
         from (select owner_id, doc::jsonb as doc from docs where kind = 'request') as kept
         where doc->'approval' is not null`,
    ),
  )
  const approvalOf = new Map(approvals.map((one) => [one.email, one]))
  const members = new Set(world.service.membersOf(containerId).map(({ email }) => email))
  const byEmail = Map.groupBy(rows, ({ email }) => email)
  const wrong: string[] = []
  let repeated = 0

  function checkTold(what: string, tellings: readonly Telling[], most: number): void {
    if (tellings.length === 0) wrong.push(`${what} was never told.`)
    const explained = tellings.filter((one) => mayBeRepeated(open, one)).length
    if (tellings.length > most) repeated += tellings.length - most
    if (tellings.length > most + explained)
      wrong.push(`${what} was told ${tellings.length} times, not ${most}.`)
  }

  for (const [email, own] of byEmail) {
    const approval = approvalOf.get(email)
    const posts = ledger.posts.filter((post) => post.emails === email)
    const settled = own.filter(({ state }) => state === 'settled')
    const mostPosts = approval === undefined ? 1 : 1 + approval.attempt
    if (posts.length > mostPosts) wrong.push(`${email} was sent ${posts.length} times, not ${mostPosts}.`)
    for (const { id, state, outcome } of own) {
      if (state === 'sending') wrong.push(`The send ${id} for ${email} is still under way.`)
      if (state === 'settled' && outcome === null) wrong.push(`The send ${id} for ${email} has no outcome.`)
    }
    const kinds = new Set(settled.map(({ outcome }) => outcome))
    if (kinds.has('granted') && !members.has(email))
      wrong.push(`${email} is kept as granted, and is not there.`)
    if (!kinds.has('granted') && !kinds.has('uncertain') && members.has(email)) {
      wrong.push(`${email} is on the container, and kept as ${[...kinds].join(', ') || 'never sent'}.`)
    }
    // An approver has an intent of their own, and is told about the approval.
    const first = settled.find(({ sender_id }) => approval === undefined || sender_id === approval.asker_id)
    if (first?.outcome == null) continue
    const tellings = ledger.tellings.filter((one) => one.email === email && one.toId === first.sender_id)
    const plain = tellings.filter(({ isApproved }) => !isApproved)
    const outcomes = settled.filter(({ sender_id }) => sender_id === first.sender_id)
    const lies = plain.filter(({ verdict }) => !isKept(verdict, outcomes))
    wrong.push(
      ...lies.map(({ verdict }) => `${email} was told as ${verdict}, and is kept as ${first.outcome}.`),
    )
    checkTold(`What became of ${email} (${first.outcome})`, plain, ledger.asksFor(email))
    if (approval?.ending !== 'approved') continue
    const approved = tellings.filter(({ isApproved }) => isApproved)
    checkTold(
      `What became of the approval for ${email}`,
      approved,
      approval.approver_id === approval.asker_id ? 2 : 1,
    )
  }
  const kinds = Map.groupBy(rows, ({ outcome, state }) => outcome ?? state)
  const count = (kind: string) => kinds.get(kind)?.length ?? 0
  return {
    counted: {
      'intents to grant': rows.length,
      'grants: made': count('granted'),
      'grants: not made': count('not-granted'),
      'grants: not certain': count('uncertain'),
      'grants: never confirmed or sent': count('asked') + count('never-sent'),
      'grants: POSTs at the service': ledger.posts.length,
      approvals: approvals.length,
      'approvals: approved': approvals.filter(({ ending }) => ending === 'approved').length,
      'outcomes told again, with reason': repeated,
    },
    wrong,
  }
}

function isKept(verdict: Verdict['verdict'], rows: readonly z.infer<typeof rowSchema>[]): boolean {
  return rows.some(({ outcome }) => outcome !== null && words[outcome] === verdict)
}

/** What Slack took without being heard, or nobody could write down, is told again rather than not at all. */
function mayBeRepeated({ world, faults }: Open, { isUnheard, at }: Telling): boolean {
  return isUnheard || wasKilledAfter(world.bots.lives, at, 5_000) || wasWrong(faults, 'database', at, 10_000)
}
