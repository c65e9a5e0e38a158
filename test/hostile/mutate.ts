// Requests that were real, with other words in them, by a seed: the same seed makes the same ones. What Slack writes stays
// as it was. What people type, what buttons and menus carry and what forms remember may be anything.
import fc from 'fast-check'
import { isRecord, type Json, parseJson } from '../../playground/slack/model/json.ts'
import { hostileTexts } from './hostile-values.ts'

const ways = [
  ...(['hostile-text', 'hostile-text', 'swap', 'swap', 'splice', 'repeat', 'empty'] as const),
  // In what a form remembers.
  ...(['drop', 'retype', 'elsewhere'] as const),
]

const step = fc.record({
  way: fc.constantFrom(...ways),
  at: fc.nat({ max: 1_000_000 }),
  pick: fc.nat({ max: 1_000_000 }),
})
const plan = fc.tuple(fc.nat({ max: 1_000_000 }), fc.array(step, { minLength: 1, maxLength: 3 }))

interface Step {
  readonly way: (typeof ways)[number]
  readonly at: number
  readonly pick: number
}

/** Where something stands in a payload. */
interface Spot {
  readonly holder: Record<string, unknown> | unknown[]
  readonly name: string
}

/** By the name that Slack has for it, what is somebody's own, and how long Slack lets it be. */
const longest: Readonly<Record<string, number>> = {
  // More than is read, and still not more than a request may have when there are several.
  text: 16_000,
  value: 2_000,
  private_metadata: 3_000,
  url: 3_000,
}

/** What a payload has of the bot's own writing, beside labels. */
const ownWriting = ['blocks', 'title', 'submit', 'close']

/**
 * One after the other, as all of them together are large.
 * @param elsewhere - An address that is not Slack's.
 */
export function* mutations(
  payloads: readonly Json[],
  {
    seed,
    count,
    elsewhere,
  }: { readonly seed: number; readonly count: number; readonly elsewhere: string },
): Generator<Json> {
  const values = payloads.flatMap((payload) => wordsIn(payload).map(valueAt))
  const remembered = values.flatMap((value) => everyIn(memoryIn(value)).map(valueAt))
  const pool = [...values, ...remembered].filter((one) => typeof one === 'string')
  for (const [which, steps] of fc.sample(plan, { seed, numRuns: count })) {
    const payload = structuredClone(at(payloads, which) ?? {})
    for (const one of steps) change(payload, one, [...pool, elsewhere])
    yield payload
  }
}

function change(payload: Json, step: Step, pool: readonly string[]): void {
  const spot = at(wordsIn(payload), step.at)
  if (spot === undefined) return
  const value = String(valueAt(spot))
  const memory = memoryIn(value)
  const inside = at(everyIn(memory), step.pick)
  if (inside === undefined) return void putText(spot, otherText(value, step, pool))
  if (step.way === 'drop') remove(inside)
  else put(inside, otherValue(valueAt(inside), step, pool))
  putText(spot, JSON.stringify(memory))
}

/** An option is one that the bot has offered, so that Slack has taken it. */
function putText(spot: Spot, text: string): void {
  const isOption = spot.name === 'value' && 'text' in spot.holder && !('action_id' in spot.holder)
  if (isOption && text === '') return
  put(spot, text.slice(0, isOption ? 150 : longest[spot.name]))
}

function otherText(value: string, { way, pick }: Step, pool: readonly string[]): string {
  switch (way) {
    case 'hostile-text':
      return at(hostileTexts, pick) ?? ''
    case 'swap':
      return at(pool, pick) ?? ''
    case 'splice':
      return `${at(hostileTexts, pick)}${value}`
    case 'repeat':
      return value.repeat(1 + (pick % 300))
    case 'elsewhere':
      return pool.at(-1) ?? ''
    default:
      return ''
  }
}

/** Of another version of Bellhop, a form may remember values of other types. */
function otherValue(value: unknown, step: Step, pool: readonly string[]): unknown {
  if (step.way === 'retype')
    return typeof value === 'string' ? Number(value) || null : JSON.stringify(value)
  // Slack takes no button that carries nothing.
  return otherText(typeof value === 'string' ? value : JSON.stringify(value), step, pool) || '-'
}

/** What people typed and chose, what a button carries, what a form remembers, and links that somebody posted. */
function wordsIn(payload: Json): Spot[] {
  return everyIn(payload).filter((spot) => {
    const isLabel = isRecord(spot.holder) && spot.holder.type === 'plain_text'
    return spot.name in longest && typeof valueAt(spot) === 'string' && !isLabel
  })
}

/** Every value of it, however deep. */
function everyIn(holder: unknown): Spot[] {
  if (!isRecord(holder) && !Array.isArray(holder)) return []
  const isPress = isRecord(holder) && holder.type === 'block_actions'
  return Object.entries(holder)
    .filter(([name]) => !ownWriting.includes(name) && !(isPress && name === 'message'))
    .flatMap(([name, inside]) => [{ holder, name }, ...everyIn(inside)])
}

function memoryIn(value: unknown): unknown {
  const memory = typeof value === 'string' ? parseJson(value) : undefined
  return isRecord(memory) ? memory : undefined
}

function valueAt({ holder, name }: Spot): unknown {
  return Object.getOwnPropertyDescriptor(holder, name)?.value
}

function put({ holder, name }: Spot, value: unknown): void {
  Object.defineProperty(holder, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}

function remove({ holder, name }: Spot): void {
  if (Array.isArray(holder)) holder.splice(Number(name), 1)
  else delete holder[name]
}

function at<T>(all: readonly T[], index: number): T | undefined {
  return all[index % all.length]
}
