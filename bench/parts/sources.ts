// Part of the bench: which lines a command's counts come from. Bellhop runs from its sources for that.
import type { Cores } from '../cores.ts'
import { type Measured, takeNotes } from '../figures.ts'
import type { Counted } from '../servers/counted.ts'
import { countedBy, counting, greatestIn } from '../servers/counting.ts'
import { openStage } from '../stage.ts'
import { type CountsPlan, wordsOfCounts } from './counts.ts'

const traced = [
  'promises',
  'timers',
  'contexts',
  'statements',
  'serialised',
] as const satisfies readonly (keyof Counted)[]
/** Of each kind. */
const mostLines = 12

export async function measureSources(
  { warmUp, commands }: CountsPlan,
  cores: Cores | undefined,
): Promise<Measured> {
  const { note, remark, measured } = takeNotes('sources')
  const stage = await openStage({ cores })
  try {
    const actor = await stage.start(counting(await stage.fromSources(), true))
    await actor.load.commands(warmUp, 1)
    await countedBy(actor.server)
    await actor.load.commands(commands, 1)
    const answered = await countedBy(actor.server)
    for (const kind of traced) {
      for (const [line, times] of greatestIn(answered, kind, mostLines)) {
        note(`${wordsOfCounts[kind]} by ${line}`, actor.name, 'a command', times / commands)
      }
    }
    await stage.end(actor)
  } finally {
    await stage.close()
  }
  remark('Sources: the nearest line of Bellhop’s, else of a package, that is running then; as the counts.')
  return measured()
}
