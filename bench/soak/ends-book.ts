// The book of ends: nobody has what should have ended without Bellhop saying so, and nobody loses what was given for good.
// What people decided is in the ledger, what they have is at the service; both without a word from Bellhop.
import { z } from 'zod'
import { deadlineOf, type Given, leftOf, lostOf } from './ledger.ts'
import type { Taken } from './taken.ts'
import { type SoakWorld, tagsIn } from './world.ts'

/** So long after its time an end may be under way, by the bots’ clock. */
const graceMs = 120_000

const rows = z.array(z.object({ doc: z.string(), until: z.number() }))
const endsKept = `select doc, (doc::json->>'endsAt')::float as until from docs where kind = 'end'`
type Kept = z.output<typeof rows>

/** In whatever shape it is stored: it names the person, and some of what they still have. */
const isOf = ({ email, userId }: Given, left: readonly string[]) => {
  const number = new RegExp(`"userId":${userId}\\b`)
  return ({ doc }: Kept[number]) => {
    // What they had before stands beside their number.
    const { whom, ...what } = Object(JSON.parse(doc))
    const [person, gives] = [JSON.stringify(whom), JSON.stringify(what)]
    const isThem = number.test(person) || tagsIn(person).has(email)
    return isThem && left.some((flag) => flag === 'a seat' || gives.includes(`"${flag}"`))
  }
}

/** Said of what is there still, or of what nobody can tell. */
const open =
  /still has|should have ended|no longer shows|doesn’t show|can’t take it back|ot certain/
const claim = /^✅ (Ended|Removed)/

const textsOf = (taken: Taken, { email }: Given) =>
  taken
    .filter(({ tags }) => tags.has(email))
    .map(({ args, at }) => ({ text: String(args.text ?? ''), at }))

/** True where it says that this is gone; of several things, it names this one. */
const claims = ({ name }: Given, text: string) =>
  claim.test(text) && (text.startsWith('✅ Removed') || text.includes(name))

const hasStill = ({ email, story, lastsMs }: Given, left: readonly string[]) =>
  `${email} (${story}) has ${left.join(', ')}, which was for ${minutes(lastsMs)}`

/** The faults that can be told at any moment, as no bot has to do anything first. */
export function findUntrue(world: SoakWorld, taken: Taken): readonly string[] {
  const { ledger, clock } = world
  const untrue = ledger.given.flatMap((one) => {
    const left = leftOf(world, one)
    const isOver = (deadlineOf(world, one) ?? Number.POSITIVE_INFINITY) <= clock.now()
    if (left.length === 0 || one.mostUntil === Number.POSITIVE_INFINITY) return []
    const said = textsOf(taken, one).find(({ text }) => claims(one, text))
    return said && isOver ? [`${hasStill(one, left)}, and Bellhop said: ${said.text}`] : []
  })
  const lost = ledger.kept.flatMap((one) => {
    const gone = lostOf(world, one)
    return gone.length === 0
      ? []
      : [`${one.email} (${one.story}) lost ${gone.join(', ')}, which was given for good.`]
  })
  return [...untrue, ...lost]
}

/** Checked whenever the bots have come to rest. */
export async function checkEnds(world: SoakWorld, taken: Taken) {
  const { ledger, clock, service } = world
  const kept = rows.parse(await world.query(endsKept))
  const wrong = [...findUntrue(world, taken)]
  let [over, waits, told] = [0, 0, 0]
  for (const one of ledger.given) {
    const deadline = deadlineOf(world, one)
    if (deadline === undefined || deadline === Number.POSITIVE_INFINITY) continue
    const [left, texts] = [leftOf(world, one), textsOf(taken, one)]
    const own = kept.filter(isOf(one, left))
    const last = Math.max(...own.map(({ until }) => until))
    const what = hasStill(one, left)
    if (last > deadline + graceMs)
      wrong.push(`${what}; it is kept for ${minutes(last - deadline)} longer than decided.`)
    if (deadline + graceMs > clock.now()) continue
    over += 1
    const isSaid = texts.some(
      ({ text, at }) => at >= deadline && open.test(text) && !claim.test(text),
    )
    if (left.length === 0) {
      const isDone = isTaken(world, one)
      const isTold = texts.some(({ text }) => claims(one, text))
      if (isDone && !isTold && !isSaid && !kept.some(isOf(one, one.flags)))
        wrong.push(`That the access of ${one.email} ended was never told.`)
      continue
    }
    if (own.length > 0) waits += 1
    else if (isSaid) told += 1
    else wrong.push(`${what}, with neither an end nor a word.`)
  }
  const counted = {
    'ends: given for a time': ledger.given.length,
    'ends: over': over,
    'ends: still there, with an end': waits,
    'ends: still there, and told': told,
    'ends: DELETEs at the service': service.requests.filter(({ method }) => method === 'DELETE')
      .length,
  }
  return { counted, wrong }
}

/** The service said that it gave it. */
const isTaken = ({ service }: SoakWorld, { email, containerId, isBrought }: Given) =>
  isBrought &&
  service.requests.some(
    ({ method, path, body, status }) =>
      method === 'POST' &&
      status === 204 &&
      path === `/container/${containerId}/user` &&
      Object(body).email === email,
  )

const minutes = (ms: number) => `${Math.round(ms / 60_000)} minutes`

/** When the last of it is over, and what nobody can end has been tried and told; milliseconds since 1970. */
export function lastDeadline(world: SoakWorld): number {
  const deadlines = world.ledger.given.map((one) => deadlineOf(world, one) ?? 0)
  return Math.max(0, ...deadlines.filter(Number.isFinite))
}
