// Counts the steps of a piece of work without a clock: every count is V8's own, and the same on each machine.
//
// - Loops and calls: V8's precise coverage says how often each block of `src/` ran.
// - Regular expressions: V8 takes a limit of backtracks, so the smallest with which a match still ends is how
//   often it went back. An empty group behind each repeated piece keeps V8 from doing simple loops without
//   counting them. Positions at which a match is tried count as well.
// - What strings and lists do by themselves (`slice`, `indexOf`, `includes` …): the characters or items they go through.
//
// What a match reads without ever going back on it is not counted; nor are maps and sets, which need no counting.
import { Session } from 'node:inspector'
import { setFlagsFromString } from 'node:v8'

setFlagsFromString('--allow-natives-syntax')
const withLimit: (source: string, flags: string, backtracks: number) => RegExp = new Function(
  ...['source', 'flags', 'backtracks'],
  'return %NewRegExpWithBacktrackLimit(source, flags, backtracks)',
) as never
setFlagsFromString('--no-allow-natives-syntax')
// V8 interprets an expression at first and compiles it later, and counts differently then: here it compiles at once.
setFlagsFromString('--no-regexp-tier-up')

/** No test waits for more: what takes so many is not linear. */
const mostBacktracks = 2 ** 27

const tokens = /\\(?:[pP]\{[^}]*\}|x..|u....|.)|\[(?:\\.|[^\]\\])*\]|\(\?(?:[:=!]|<[=!]|<\w+>)|./gsu

/** The same expression for V8, but for loops that it does without counting. */
function countable(source: string): string {
  const parts = source.match(tokens) ?? []
  const isRepeated = (index: number) => /^[*+?{]$/.test(parts[index + 1] ?? '')
  const isPiece = (part: string) => (part.length > 1 ? !part.startsWith('(') : !'(^$|*+?{})'.includes(part))
  return parts
    .map((part, index) => {
      if (part === ')') return '())'
      return isPiece(part) && isRepeated(index) ? `(?:${part}())` : part
    })
    .join('')
}

/** By source, then flags: the same expression with each limit. */
const limited = new Map<string, Map<string, Map<number, RegExp>>>()
const leastBacktracks = 64

function limitedOf(source: string, flags: string): Map<number, RegExp> {
  const known = limited.get(source) ?? new Map<string, Map<number, RegExp>>()
  const found = known.get(flags) ?? new Map<number, RegExp>()
  limited.set(source, known.set(flags, found))
  return found
}

/** How often V8 goes back before this match ends: 64 at least, and at most a sixteenth too many. */
function backtracksOf({ source, flags, lastIndex, global, sticky }: RegExp, text: string): number {
  const tries = limitedOf(source, flags)
  const ends = (most: number): boolean => {
    let one = tries.get(most)
    if (one === undefined) {
      // With an empty alternative it always matches: V8 gave up when it does not.
      const found = `${sticky ? '' : '[^]*?'}(?:${countable(source)})|`
      one = withLimit(found, `${flags.replace('g', '').replace('y', '')}y`, most)
      tries.set(most, one)
    }
    one.lastIndex = global || sticky ? lastIndex : 0
    return Reflect.apply(exec, one, [text]) !== null
  }
  let most = leastBacktracks
  while (!ends(most)) {
    most *= 2
    if (most > mostBacktracks) return Number.POSITIVE_INFINITY
  }
  for (let step = most / 4; most > leastBacktracks && step >= most / 32; step /= 2) {
    if (ends(most - step)) most -= step
  }
  return most
}

const { exec } = RegExp.prototype
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

function blocksRun(): number {
  let blocks = 0
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error) throw error
    for (const { url, functions } of coverage.result) {
      if (!url.includes('/src/') || url.includes('/node_modules/')) continue
      for (const { ranges } of functions) for (const { count } of ranges) blocks += count
    }
  })
  return blocks
}

type Method = (this: never, ...given: never[]) => unknown

/** What a method goes through, by what it is called on, what it is given and what it returns. */
type Cost = (on: { readonly length: number }, given: readonly unknown[], result: unknown) => number

const all: Cost = ({ length }) => length
const lengthOf = (value: unknown) => (typeof value === 'string' || Array.isArray(value) ? value.length : 1)
const ofResult: Cost = (_on, _given, result) => lengthOf(result)
const upToFound: Cost = ({ length }, [, from], at) =>
  (typeof at === 'number' && at >= 0 ? at + 1 : length) - (typeof from === 'number' ? from : 0)

const costs = (on: object): readonly (readonly [object, PropertyKey, Cost])[] => {
  const each = (names: readonly PropertyKey[], cost: Cost) => names.map((name) => [on, name, cost] as const)
  return [
    ...each(['trim', 'trimStart', 'trimEnd', 'split', 'replace', 'replaceAll', 'match', 'matchAll'], all),
    ...each(['search', 'toLowerCase', 'toUpperCase', 'normalize', 'toWellFormed', 'isWellFormed'], all),
    ...each(['includes', 'lastIndexOf', 'join', 'flat', 'reverse', 'sort', 'shift', 'unshift'], all),
    ...each(['splice', 'toSorted', 'toReversed', 'toSpliced', Symbol.iterator], all),
    ...each(['slice', 'substring', 'padStart', 'padEnd', 'repeat', 'concat'], ofResult),
    ...each(['indexOf'], upToFound),
  ]
}

let isFirst = true

/** Runs work, and returns how many steps it took. Infinity for what is far from linear. */
export function stepsOf(work: () => unknown): number {
  let steps = 0
  let isCounting = true
  const undo: (() => void)[] = []
  for (const [on, name, cost] of [...costs(String.prototype), ...costs(Array.prototype)]) {
    const descriptor = Object.getOwnPropertyDescriptor(on, name)
    const method: Method | undefined = descriptor?.value
    if (descriptor === undefined || method === undefined) continue
    const counting = function (this: { readonly length: number }, ...given: readonly unknown[]): unknown {
      const result: unknown = Reflect.apply(method, this, given)
      if (isCounting) steps += cost(this, given, result)
      return result
    }
    Object.defineProperty(on, name, { ...descriptor, value: counting })
    undo.push(() => Object.defineProperty(on, name, descriptor))
  }
  const descriptor = { value: exec, writable: true, configurable: true, enumerable: false }
  undo.push(() => Object.defineProperty(RegExp.prototype, 'exec', descriptor))
  Object.defineProperty(RegExp.prototype, 'exec', {
    ...descriptor,
    value(this: RegExp, text: string) {
      if (isCounting) {
        isCounting = false
        steps += backtracksOf(this, text)
        isCounting = true
        if (steps === Number.POSITIVE_INFINITY) throw new Endless()
      }
      return exec.call(this, text)
    },
  })
  // What ran before, while it was loaded.
  if (isFirst) blocksRun()
  isFirst = false
  try {
    work()
  } catch (error) {
    if (!(error instanceof Endless)) throw error
  } finally {
    isCounting = false
    for (const one of undo.reverse()) one()
  }
  return steps + blocksRun()
}

class Endless extends Error {}
