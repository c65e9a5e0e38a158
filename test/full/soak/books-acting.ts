// Every act on an alert has one outcome, was sent at most once, and was told; what was told and kept is what the service
// has.
import { z } from 'zod'
import type { Book, Open } from './book.ts'
import { mayBeRepeated } from './books-grants.ts'
import { sendsKept } from './sends-kept.ts'
import type { ActVerdict } from './verdicts.ts'

const rowSchema = z.object({
  id: z.string(),
  kind: z.string(),
  ks: z.string(),
  sender_id: z.string(),
  state: z.string(),
  outcome: z.enum(['granted', 'not-granted', 'uncertain']).nullable(),
})
type Row = z.infer<typeof rowSchema>

const verdicts = {
  granted: 'done',
  'not-granted': 'not done',
  uncertain: 'not certain',
} as const satisfies Record<NonNullable<Row['outcome']>, ActVerdict>

export async function checkActs(open: Open): Promise<Book> {
  const { world, ledger } = open
  const rows = z.array(rowSchema).parse(await world.query(sendsKept("send->'write'->>'kind' <> 'add-user'")))
  const puts = Map.groupBy(
    world.service.requests.filter(({ method }) => method === 'PUT'),
    ({ path }) => path.split('/').at(-2) ?? '',
  )
  const wrong: string[] = []
  for (const [ks, own] of Map.groupBy(rows, (row) => row.ks)) {
    const sent = puts.get(ks)?.length ?? 0
    const actions = world.service.alert(ks)?.actions.length ?? 0
    const settled = own.filter(({ state }) => state === 'settled')
    const kept = new Set(settled.map(({ outcome }) => outcome))
    const say = (what: string) => void wrong.push(`${own[0]?.kind} of ${ks} ${what}`)
    if (sent > Math.max(1, settled.length)) say(`was sent ${sent} times, not ${settled.length}.`)
    if (actions > sent) say(`is there ${actions} times, and was sent ${sent} times.`)
    for (const { id, state, outcome } of own) {
      if (state === 'sending') say(`is still under way (${id}).`)
      if (state === 'settled' && outcome === null) say(`has no outcome (${id}).`)
    }
    if (kept.has('granted') && actions === 0) say('is kept as done, and is not there.')
    if (actions > 0 && !kept.has('granted') && !kept.has('uncertain'))
      say(`is there, and is kept as ${[...kept].join(', ') || 'never sent'}.`)
    checkTold(ks, settled)
  }

  /** A doubt may be told twice, and then the truth: before and after the last look. */
  function checkTold(ks: string, settled: readonly Row[]): void {
    const [first] = settled
    if (first?.outcome == null) return
    const tellings = ledger.actTellings.filter((one) => one.ks === ks && one.toId === first.sender_id)
    const last = tellings.at(-1)
    if (last === undefined) {
      wrong.push(`What became of ${ks} (${first.outcome}) was never told.`)
      return
    }
    if (!settled.some(({ outcome }) => outcome !== null && verdicts[outcome] === last.verdict))
      wrong.push(`${ks} was told last as ${last.verdict}, and is kept as ${first.outcome}.`)
    const certain = tellings.filter(({ verdict }) => verdict !== 'not certain')
    const lies = new Set(certain.map(({ verdict }) => verdict))
    if (lies.size > 1) wrong.push(`${ks} was told as ${[...lies].join(' and as ')}.`)
    const asks = ledger.asked.filter(({ tag }) => tag === ks).length
    const explained = certain.filter((one) => mayBeRepeated(open, one)).length
    if (certain.length > asks + explained) wrong.push(`${ks} was told ${certain.length} times, not ${asks}.`)
  }

  const kinds = Map.groupBy(rows, ({ outcome, state }) => outcome ?? state)
  const count = (kind: string) => kinds.get(kind)?.length ?? 0
  return {
    counted: {
      'acts on alerts': rows.length,
      'acts: done': count('granted'),
      'acts: not done': count('not-granted'),
      'acts: not certain': count('uncertain'),
      'acts: never sent': count('asked') + count('never-sent'),
      'acts: PUTs at the service': [...puts.values()].flat().length,
    },
    wrong,
  }
}
