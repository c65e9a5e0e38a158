// Acts of people on alerts: they take them, comment on them and close them, each on one that nobody else touches.
import { tags } from './ledger.ts'
import type { Act, Stage } from './stage.ts'
import { containerId, type Soaker } from './world.ts'

/** Whose account stays. */
const mayAct = ({ kind }: Soaker) => kind !== 'mover'

function newAlert({ world, number, ledger }: Stage): string {
  const ks = tags.alert(number())
  world.service.addAlert({ ks, containerId, message: `Disk of ${ks} is filling up` })
  ledger.acted.add(ks)
  return ks
}

/** The key stands in the text as well: what was not done is told by the text alone. */
const comment = (ks: string) => `/alert comment ${ks} "Looking at ${ks}"`
const close = (ks: string) => `/alert close ${ks} "Rotated the logs of ${ks}"`

async function actOnce(stage: Stage, line: (ks: string) => string): Promise<void> {
  const ks = newAlert(stage)
  await stage.types(line(ks), ks)
}

/** The same line twice at the same moment, as with an impatient thumb. */
async function actTwice(stage: Stage, line: (ks: string) => string): Promise<void> {
  const ks = newAlert(stage)
  const channel = stage.channel()
  await Promise.all([stage.types(line(ks), ks, channel), stage.types(line(ks), ks, channel)])
}

/** To themselves. */
const assign = (stage: Stage) =>
  actOnce(stage, (ks) => `/alert assign ${ks} ${stage.soaker.userId} "Mine: ${ks}"`)

export const actingActs: readonly Act[] = [
  { name: 'assign', weight: 2, may: mayAct, act: assign },
  { name: 'comment', weight: 2, may: mayAct, act: (stage) => actOnce(stage, comment) },
  { name: 'comment, typed twice', weight: 1, may: mayAct, act: (stage) => actTwice(stage, comment) },
  { name: 'close', weight: 2, may: mayAct, act: (stage) => actOnce(stage, close) },
  { name: 'close, typed twice', weight: 1, may: mayAct, act: (stage) => actTwice(stage, close) },
]
