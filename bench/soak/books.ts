// The books of a soak: what was asked, what was told, and what the database and the service say, held against each other.
// Everything that does not add up is one sentence.
import { spawnSync } from 'node:child_process'
import { z } from 'zod'
import { unheardWords } from '../../src/slack/guard/failures.ts'
import { checkEnds } from './ends-book.ts'
import { type Taken, takenBy } from './taken.ts'
import { type Asked, containerId, type SoakWorld } from './world.ts'

export interface Book {
  /** Counts, by what was counted. */
  readonly counted: Readonly<Record<string, number>>
  /** What does not add up, a sentence each. */
  readonly wrong: readonly string[]
}

/** Every command that was acked has its answer, but for what a bot had in hand that was killed. */
export function checkCommands(world: SoakWorld, taken = takenBy(world)): Book {
  const acked = world.asked.filter(({ delivery }) => delivery.outcome === 'acked')
  /** By the response URL, in words of its own, or by a mere sentence to them soon after. */
  function isAnswered({ person, tag, at, delivery }: Asked): boolean {
    const url = delivery.payload.response_url
    const path = typeof url === 'string' ? new URL(url).pathname : ''
    const isSentence = ({ args, tags, at: told }: Taken[number]) =>
      (tags.size === 0 || tag === '') &&
      [args.user, args.channel].some((one) => one === person.id || one === person.dm.id) &&
      told >= at &&
      told < at + 30_000
    return taken.some((one) => one.path === path || one.tags.has(tag) || isSentence(one))
  }
  const unanswered = acked.filter((one) => one.delivery.body.trim() === '' && !isAnswered(one))
  // Whom Slack took no word for is in the log.
  const unheard = new Map(
    world.bots.lives.map((life) => [life, life.bot.output().split(unheardWords).length - 1]),
  )
  const wrong = unanswered.filter(({ life }) => {
    const left = life === undefined ? 0 : (unheard.get(life) ?? 0)
    if (life !== undefined) unheard.set(life, left - 1)
    return life?.wanted !== 'killed' && left <= 0
  })
  return {
    counted: {
      'commands typed': world.asked.length,
      'commands acked': acked.length,
      'commands answered': acked.length - unanswered.length,
      'commands lost with a bot, or not taken by Slack': unanswered.length - wrong.length,
    },
    wrong: wrong.map(
      ({ line, person, at, life }) =>
        `"${line}" of ${person.name} at ${new Date(at).toISOString()} was acked by bot ${life?.place} and never answered.`,
    ),
  }
}

const sends = z.array(
  z.object({
    email: z.string(),
    attempt: z.number(),
    state: z.string(),
    hasBegun: z.boolean().nullable(),
    outcome: z.enum(['done', 'not-done', 'uncertain', 'not-sent']).nullable(),
  }),
)
/** One row for each send that somebody was to be added by. */
const sendsKept = `
  select send->'write'->>'email' as email, (doc->>'attempt')::int as attempt, doc->>'state' as state,
      (send->>'hasBegun')::boolean as "hasBegun",
      send->'outcome'->>'kind' as outcome
    from (select doc::jsonb as doc from docs where kind = 'request') as kept,
      jsonb_array_elements(kept.doc->'sends') as send
    where send->'write'->>'kind' = 'add-user'`

/** How each is told, by a line of its own or one for several. */
const words = {
  done: /ranted|✅/,
  'not-done': /Not granted|refused|⛔|⏳/,
  uncertain: /ot certain|❓/,
  'not-sent': /ot sent|➖/,
} as const

/**
 * Every grant was sent at most once for each attempt, has one outcome and was told it; what was told is true. What becomes
 * of access for a time is in the book of ends.
 */
async function checkGrants(world: SoakWorld, taken: Taken): Promise<Book> {
  const rows = sends.parse(await world.query(sendsKept))
  const posts = world.service.requests.flatMap(({ method, body }) =>
    method === 'POST' ? [String(Object(body).email)] : [],
  )
  const { given, touched } = world.ledger
  const forTime = new Set(given.map((one) => one.email))
  const members = new Set(world.service.membersOf(containerId).map(({ email }) => email))
  const wrong: string[] = []
  for (const [email, own] of Map.groupBy(rows, (one) => one.email)) {
    const sent = posts.filter((one) => one === email).length
    const most = own.reduce((sum, { attempt }) => sum + attempt, 0)
    if (sent > most) wrong.push(`${email} was sent ${sent} times, not ${most}.`)
    if (
      own.some(({ hasBegun, outcome, state }) => state === 'sent' && hasBegun && outcome === null)
    )
      wrong.push(`A send for ${email} has no outcome.`)
    if (own.some(({ state }) => state === 'sending'))
      wrong.push(`A send for ${email} is still under way.`)
    const kinds = new Set(own.map(({ outcome }) => outcome))
    const texts = taken
      .filter(({ tags }) => tags.has(email))
      .map(({ args }) => String(args.text ?? ''))
    for (const { outcome } of own)
      if (outcome !== null && !texts.some((text) => words[outcome].test(text)))
        wrong.push(`What became of ${email} (${outcome}) was never told.`)
    if (forTime.has(email)) continue
    if (kinds.has('done') && !members.has(email))
      wrong.push(`${email} is kept as granted, and is not there.`)
    if (!kinds.has('done') && !kinds.has('uncertain') && members.has(email))
      wrong.push(`${email} is on the container, and kept as ${[...kinds].join(', ')}.`)
    if (!members.has(email) && texts.some((text) => text.startsWith('✅ Granted')))
      wrong.push(`${email} was told as granted, and is not there.`)
  }
  const removals = world.service.requests.filter(({ method }) => method === 'DELETE')
  const isTouched = (path: string) => [...touched].some((id) => path.endsWith(`/user/${id}`))
  for (const { path, status, token } of removals) {
    // Two people may remove somebody in the same second.
    const own = removals.filter((one) => one.path === path && one.token === token)
    if (status === 404 && own.length > 1 && !isTouched(path))
      wrong.push(`${path} was asked to be removed by ${token}, who had removed them already.`)
  }
  const kinds = Map.groupBy(rows, ({ outcome }) => `grants: ${outcome ?? 'asked for'}`)
  const counts = Object.fromEntries([...kinds].map(([name, all]) => [name, all.length]))
  return { counted: { ...counts, 'grants: POSTs at the service': posts.length }, wrong }
}

/** Of all actions, at most this part stands twice: Slack did not confirm them, or a bot was killed before it kept them. */
const mostTwice = 0.2

/** Every action of a card that became live stands in its thread, and few stand twice. */
export function checkWatches(world: SoakWorld, taken = takenBy(world)): Book {
  const { asked, alerts, slack } = world
  const live = new Map(
    taken
      .filter(
        ({ method, args, whole }) =>
          /^chat\.(post|update)/.test(method) && !args.thread_ts && whole.includes('👁'),
      )
      .flatMap(({ ts, args, tags }) => [...tags].map((ks) => [String(args.ts ?? ts), ks] as const)),
  )
  const threads = Map.groupBy(
    slack.workspace.messages.filter(
      ({ byBot, isDeleted, ephemeralFor }) => byBot && !isDeleted && !ephemeralFor,
    ),
    ({ threadTs }) => threadTs ?? '',
  )
  /** Its bot was killed before the thread began. */
  const isCutShort = (ks: string) =>
    asked.some(({ tag, life }) => tag === ks && life?.wanted === 'killed')
  const wrong: string[] = []
  let [actions, again] = [0, 0]
  for (const [ts, ks] of live) {
    const thread = (threads.get(ts) ?? []).map(({ blocks }) => JSON.stringify(blocks)).join()
    for (let number = 0; number < (alerts.get(ks)?.actions ?? 0); number += 1) {
      const count = thread.match(new RegExp(`${ks}/${number}\\b`, 'g'))?.length ?? 0
      actions += 1
      if (count > 1) again += 1
      if (count === 0 && !(number === 0 && isCutShort(ks)))
        wrong.push(`${ks}/${number} does not stand in its thread.`)
    }
  }
  if (again > actions * mostTwice)
    wrong.push(`${again} of ${actions} actions stand twice in their threads.`)
  return {
    counted: {
      'cards that were live': live.size,
      'actions of live cards': actions,
      'actions twice': again,
    },
    wrong,
  }
}

/** What must be nothing once the bots have had their time. */
export const unfinished: Readonly<Record<string, string>> = {
  'requests under way': `kind = 'request' and doc::json->>'state' = 'sending'`,
  'requests with a word to tell': `kind = 'request' and doc::json->>'isToTell' = 'true'`,
}
/** Of those that a killed bot has left behind, none is over later than this time, in milliseconds since 1970. */
export const heldUntil = (ms: number) => ({
  'leases of live cards held': `kind = 'live-card' and (doc::json->>'heldUntil')::float between 1 and ${ms}`,
})

export async function findUnfinished(
  world: SoakWorld,
  all: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const [what, which] of Object.entries(all)) {
    const rows = await world.query(`select count(*)::int as n from docs where ${which}`)
    const [{ n } = { n: 0 }] = z.array(z.object({ n: z.number() })).parse(rows)
    if (n > 0) found.push(`The database has ${n} ${what}.`)
  }
  return found
}

/** Nothing half done, an audit trail that verifies, and bots that ended as they were told to. */
async function checkEnd(world: SoakWorld): Promise<Book> {
  const wrong = [
    ...(await findUnfinished(world, { ...unfinished, ...heldUntil(Number.MAX_SAFE_INTEGER) })),
  ]
  for (const { place, wanted, exitCode } of world.bots.lives) {
    if (wanted === undefined) wrong.push(`Bot ${place} has ended by itself, with ${exitCode}.`)
    if (wanted === 'stopped' && exitCode !== 0)
      wrong.push(`Bot ${place} was told to stop and ended with ${exitCode}.`)
  }
  const env = { ...world.env, PATH: process.env.PATH ?? '' }
  const audit = spawnSync(process.execPath, ['src/terminal/audit.ts', '--verify'], {
    env,
    encoding: 'utf8',
  })
  if (audit.status !== 0)
    wrong.push(`The audit trail does not hold: ${audit.stdout}${audit.stderr}`)
  return { counted: {}, wrong }
}

/** Checked when all bots have been stopped. */
export async function checkBooks(world: SoakWorld): Promise<Book> {
  const taken = takenBy(world)
  const books = [
    checkCommands(world, taken),
    await checkGrants(world, taken),
    await checkEnds(world, taken),
    checkWatches(world, taken),
    await checkEnd(world),
  ]
  return {
    counted: Object.assign({}, ...books.map(({ counted }) => counted)),
    wrong: books.flatMap(({ wrong }) => wrong),
  }
}
