// Requests that were real, changed by a seed: the same seed makes the same ones. Knows the shape of a payload, so that
// most of them are nearly right.
import fc from 'fast-check'
import type { Json } from '../../playground/slack/model/json.ts'
import { hostileNames, hostileTexts, hostileValues, nested } from './hostile-values.ts'

const ways = [
  ...[
    'drop',
    'rename',
    'name-oddly',
    'retype',
    'hostile-text',
    'hostile-text',
    'hostile-value',
    'hostile-value',
  ],
  ...['nest', 'nest-deep', 'list', 'swap', 'swap', 'splice', 'repeat', 'elsewhere'],
] as const

type Way = (typeof ways)[number]

interface Step {
  readonly way: Way
  readonly at: number
  readonly pick: number
}

const step = fc.record({
  way: fc.constantFrom(...ways),
  at: fc.nat({ max: 1_000_000 }),
  pick: fc.nat({ max: 1_000_000 }),
})
const plan = fc.tuple(fc.nat({ max: 1_000_000 }), fc.array(step, { minLength: 1, maxLength: 3 }))

/** What stands at a place in a payload, and how to put something else there. */
interface Spot {
  readonly holder: Record<string, unknown> | unknown[]
  readonly name: string
}

/**
 * One after the other, as all of them together are large.
 * @param elsewhere - An address that is not Slack's.
 */
export function* mutations(
  payloads: readonly Json[],
  { seed, count, elsewhere }: { readonly seed: number; readonly count: number; readonly elsewhere: string },
): Generator<{ readonly payload: Json; readonly original: Json }> {
  const pool = payloads
    .flatMap((payload) => spotsIn(payload).map(valueAt))
    .filter((one) => typeof one === 'string')
  for (const [which, steps] of fc.sample(plan, { seed, numRuns: count })) {
    const original = at(payloads, which) ?? {}
    const payload: Record<string, unknown> = structuredClone(original)
    for (const one of steps) change(payload, one, pool, elsewhere)
    yield { payload, original }
  }
}

function change(
  payload: Record<string, unknown>,
  step: Step,
  pool: readonly unknown[],
  elsewhere: string,
): void {
  const spots = spotsIn(payload)
  const spot = at(
    step.way === 'elsewhere' ? spots.filter(({ name }) => name.includes('url')) : spots,
    step.at,
  )
  if (spot === undefined) return
  if (step.way === 'drop' || step.way === 'rename') remove(spot)
  if (step.way === 'drop') return
  const changed = changedBy(spot, step, { pool, elsewhere })
  put({ ...spot, name: changed.name ?? spot.name }, changed.value)
}

function changedBy(
  spot: Spot,
  { way, pick }: Step,
  from: { readonly pool: readonly unknown[]; readonly elsewhere: string },
): { readonly name?: string | undefined; readonly value: unknown } {
  const value = valueAt(spot)
  switch (way) {
    case 'rename':
      return { name: spot.name.toUpperCase(), value }
    case 'name-oddly':
      return { name: at(hostileNames, pick), value }
    case 'retype':
      return { value: typeof value === 'string' ? Number(value) || 0 : JSON.stringify(value) }
    case 'hostile-text':
      return { value: at(hostileTexts, pick) }
    case 'hostile-value':
      return { value: structuredClone(at(hostileValues, pick)) }
    case 'nest':
      return { value: { [spot.name]: value } }
    case 'nest-deep':
      return { value: nested(pick % 1_500) }
    case 'list':
      return { value: [value, value] }
    case 'swap':
      return { value: at(from.pool, pick) }
    case 'splice':
      return {
        value: `${at(hostileTexts, pick)}${typeof value === 'string' ? value : JSON.stringify(value)}`,
      }
    case 'repeat':
      // What is deep already would fill the memory.
      return {
        value: Array.from({ length: 1 + (pick % (typeof value === 'object' ? 5 : 300)) }, () => value),
      }
    case 'elsewhere':
      return { value: from.elsewhere }
    case 'drop':
      return { value: undefined }
    default:
      return way satisfies never
  }
}

/** Every field, however deep, but those of a long message only to some depth. */
function spotsIn(holder: unknown, depth = 0): Spot[] {
  if (typeof holder !== 'object' || holder === null || depth > 7) return []
  if (!isHolder(holder)) return []
  return Object.entries(holder).flatMap(([name, inside]) => {
    // What the bot wrote itself comes back in every press; there is little in it that is read.
    const isRead = name !== 'message' && name !== 'blocks'
    return [{ holder, name }, ...(isRead || depth === 0 ? spotsIn(inside, depth + (isRead ? 1 : 5)) : [])]
  })
}

function isHolder(value: object): value is Record<string, unknown> | unknown[] {
  return value !== null
}

function valueAt({ holder, name }: Spot): unknown {
  return Object.getOwnPropertyDescriptor(holder, name)?.value
}

/** As a field of its own, whatever the name: `__proto__` as well. */
function put({ holder, name }: Spot, value: unknown): void {
  if (Array.isArray(holder) && !/^\d{1,3}$/.test(name)) return void holder.push(value)
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true })
}

function remove({ holder, name }: Spot): void {
  if (Array.isArray(holder)) holder.splice(Number(name), 1)
  else delete holder[name]
}

function at<T>(all: readonly T[], index: number): T | undefined {
  return all[index % all.length]
}
