// Part of the bench: where a command's time goes, room by room, as V8's profiler samples it. Bellhop runs from its
// sources for that, as one bundled file has no rooms.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Cores } from '../cores.ts'
import { type Measured, takeNotes } from '../figures.ts'
import { bellhopName } from '../servers/bellhop.ts'
import { openStage } from '../stage.ts'
import { Unfit } from '../unfit.ts'

export interface ProfilePlan {
  /** Of all that is sampled: the start of the bot weighs little beside so many. */
  readonly commands: number
}

const atATime = 10
const sampleMicroseconds = 200
/** Rooms that take less of it are summed up. */
const leastShare = 0.01

export async function measureProfile({ commands }: ProfilePlan, cores: Cores | undefined): Promise<Measured> {
  const { note, remark, measured } = takeNotes('profile')
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-profile-'))
  const stage = await openStage({ cores })
  try {
    const recipe = await stage.fromSources()
    const profiling = ['--cpu-prof', `--cpu-prof-interval=${sampleMicroseconds}`, `--cpu-prof-dir=${folder}`]
    const actor = await stage.start({ ...recipe, args: [...profiling, ...recipe.args] })
    await actor.load.commands(commands, atATime)
    await stage.end(actor)
    const shares = sharesIn(readProfile(folder))
    for (const [room, share] of shares) note(room, bellhopName, '% of its time', share * 100)
  } finally {
    await stage.close()
    rmSync(folder, { recursive: true, force: true })
  }
  remark(
    `Profile: \`/alert <key>\`, every key new, ${atATime} at a time, its start included; idle time is left out.`,
  )
  return measured()
}

const profile = z.object({
  nodes: z.array(
    z.object({ id: z.number(), callFrame: z.object({ functionName: z.string(), url: z.string() }) }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
})
type Profile = z.infer<typeof profile>
type Frame = Profile['nodes'][number]['callFrame']

/** @throws Unfit when the bot has left none. */
function readProfile(folder: string): Profile {
  const [name] = readdirSync(folder)
  if (name === undefined) throw new Unfit('The bot has left no profile.')
  return profile.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')))
}

/** The greatest first, and what is left of all. */
function sharesIn({ nodes, samples, timeDeltas }: Profile): readonly (readonly [string, number])[] {
  const frameOf = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const spent = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const frame = frameOf.get(id)
    const room = frame === undefined ? undefined : roomOf(frame)
    if (room !== undefined) spent.set(room, (spent.get(room) ?? 0) + (timeDeltas[index] ?? 0))
  }
  const all = [...spent.values()].reduce((sum, time) => sum + time, 0)
  const shares = [...spent].map(([room, time]) => [room, time / all] as const)
  const great = shares.filter(([, share]) => share >= leastShare).toSorted(([, a], [, b]) => b - a)
  const rest = 1 - great.reduce((sum, [, share]) => sum + share, 0)
  return [...great, ['everything else', rest]]
}

/** Whose time it is; undefined for nobody's. */
function roomOf({ functionName, url }: Frame): string | undefined {
  if (functionName === '(idle)' || functionName === '(program)') return undefined
  if (functionName === '(garbage collector)') return 'garbage'
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (inPackage !== undefined) return inPackage
  const inSources = /\/src\/(\w+(?:\/\w+(?=\/))?)/.exec(url)?.[1]
  if (inSources !== undefined) return `src/${inSources}`
  return url.startsWith('node:') || url === '' ? 'Node itself' : 'others'
}
