// Every grant has one outcome, was sent at most once, and was told; what was told is true.
import { z } from 'zod'
import type { Book, Open } from './book.ts'
import { containerId } from './world.ts'

const rowSchema = z.object({
  id: z.string(),
  state: z.string(),
  email: z.string(),
  outcome: z.enum(['granted', 'not-granted', 'uncertain']).nullable(),
})
const approvalSchema = z.object({
  email: z.string(),
  attempt: z.number(),
  ending: z.string().nullable(),
})

/** How each is told, by a line of its own or one for several. */
const words = {
  granted: /ranted|✅/,
  'not-granted': /Not granted|refused|⛔|⏳/,
  uncertain: /ot certain|❓/,
} as const

const outcome = `send->'outcome'->>'kind'`
/** One row for each send, with the state it is in. */
const sendsKept = `
  select id || ' ' || (send->>'n') as id, send->'write'->>'email' as email,
      case when ${outcome} = 'not-sent' then 'never-sent' when ${outcome} is not null then 'settled'
        when send->>'hasBegun' = 'true' then 'sending' else 'asked' end as state,
      case ${outcome} when 'done' then 'granted' when 'not-done' then 'not-granted'
        when 'uncertain' then 'uncertain' end as outcome
    from (select id, doc::jsonb as doc from docs where kind = 'request') as kept,
      jsonb_array_elements(kept.doc->'sends') as send
    where send->'write'->>'kind' = 'add-user'`

export async function checkGrants({ world }: Open): Promise<Book> {
  const rows = z.array(rowSchema).parse(await world.query(sendsKept))
  const approvals = z.array(approvalSchema).parse(
    await world.query(
      `select doc->'sends'->0->'write'->>'email' as email, (doc->>'attempt')::int as attempt,
           case doc->>'end' when 'sent' then 'approved' else doc->>'end' end as ending
         from (select doc::jsonb as doc from docs where kind = 'request') as kept
         where doc->'approval' is not null`,
    ),
  )
  const approvalOf = new Map(approvals.map((one) => [one.email, one]))
  const posts = world.service.requests.flatMap(({ method, body }) =>
    method === 'POST' ? [String(Object(body).email)] : [],
  )
  const members = new Set(world.service.membersOf(containerId).map(({ email }) => email))
  const wrong: string[] = []
  /** By address, all that Slack has taken about it: what was drawn over since, too. */
  const told = Map.groupBy(
    world.slack.calls
      .filter(({ answer }) => answer.ok === true)
      .map(({ args }) => String(args.text ?? ''))
      .flatMap((text) => (text.match(/g\d+@soak\.example/g) ?? []).map((email) => ({ email, text }))),
    ({ email }) => email,
  )

  for (const [email, own] of Map.groupBy(rows, (one) => one.email)) {
    const approval = approvalOf.get(email)
    const sent = posts.filter((one) => one === email).length
    const settled = own.filter(({ state }) => state === 'settled')
    const mostPosts = approval === undefined ? 1 : 1 + approval.attempt
    if (sent > mostPosts) wrong.push(`${email} was sent ${sent} times, not ${mostPosts}.`)
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
    const texts = (told.get(email) ?? []).map(({ text }) => text)
    for (const { outcome } of settled) {
      if (outcome !== null && !texts.some((text) => words[outcome].test(text)))
        wrong.push(`What became of ${email} (${outcome}) was never told.`)
    }
    if (!members.has(email) && texts.some((text) => text.startsWith('✅ Granted')))
      wrong.push(`${email} was told as granted, and is not there.`)
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
      'grants: POSTs at the service': posts.length,
      approvals: approvals.length,
      'approvals: approved': approvals.filter(({ ending }) => ending === 'approved').length,
    },
    wrong,
  }
}
