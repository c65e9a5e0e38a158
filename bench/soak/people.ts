// People who go about their work, and alerts that live on meanwhile: each does one thing after the other, chosen by chance.
// Nothing they meet stops them; whether it was right is for the books.
import { setTimeout as wait } from 'node:timers/promises'
import { type Act, asks, asksForTime, newSubject, storiesOfTime } from './access.ts'
import type { Random } from './random.ts'
import { type Stage, seen } from './seen.ts'
import { containerId, type Soaker, type SoakWorld, tags } from './world.ts'

/** Types a command about a new alert, known by its key everywhere, and waits for its card. */
const looksUp = (how: string) => async (stage: Stage) => {
  const { world, soaker } = stage
  const ks = tags.alert(world.number())
  const actions = [{ kind: 'Comment', data: { userId: 7, message: `${ks}/0` } }]
  const handle = world.service.addAlert({ ks, message: `Disk of ${ks} is filling up`, actions })
  world.alerts.set(ks, { handle, actions: 1, isClosed: false })
  await world.types(soaker.person, `/alert ${ks}${how}`, ks)
  await seen(stage, [ks])
}

/** On a card of the last few minutes. */
const presses = (label: string) => async (stage: Stage) => {
  const { world, soaker } = stage
  world.aim()
  await soaker.person.presses(
    label,
    await seen(stage, [label, stage.random.pick([...world.alerts.keys()])]),
  )
}

/** A line that is typed so often at the same moment, as with an impatient thumb. */
const grants = (people: number, times: number) => async (stage: Stage) => {
  const { world, soaker } = stage
  const emails = Array.from({ length: people }, () => newSubject(stage).email)
  const channel = stage.random.pick(world.channels)
  const line = `/grant ${containerId} ${emails.join(' ')} viewer`
  const typed = () => world.types(soaker.person, line, emails[0] ?? '', channel)
  await Promise.all(Array.from({ length: times }, typed))
  await seen(stage, emails)
}

async function grantsSensitive(stage: Stage): Promise<void> {
  const { world, soaker, random } = stage
  const [{ email }, channel] = [newSubject(stage), random.pick(world.channels)]
  await world.types(soaker.person, `/grant ${containerId} ${email} WEBHOOKS`, email, channel)
  const confirmation = await seen(stage, [email, 'Sensitive'], channel)
  const confirms = () => soaker.person.presses('Grant access', confirmation)
  await Promise.all([confirms(), confirms()])
}

/** Asked for by somebody who may not; two colleagues press *Approve* at the same moment. */
async function asksApproval(stage: Stage): Promise<void> {
  const { world, random } = stage
  const [{ email }, channel] = [newSubject(stage), random.pick(world.channels)]
  await asks(stage, `/grant ${containerId} ${email} viewer`, email, channel)
  const leads = world.soakers.filter(({ mayGrant }) => mayGrant)
  await Promise.all(
    [random.pick(leads), random.pick(leads)].map(async (lead) => {
      const card = await seen({ ...stage, soaker: lead }, [email, 'Approve'], channel)
      await lead.person.presses('Approve', card).catch(() => undefined)
    }),
  )
}

const ofEverybody: readonly (readonly [number, Act])[] = [
  [5, ['alert', looksUp('')]],
  [1, ['alert, private', looksUp(' private')]],
  [4, ['alert, watch', looksUp(' watch')]],
  [2, ['Refresh', presses('Refresh')]],
  [1, ['Watch', presses('Watch')]],
]
const ofLeads: readonly (readonly [number, Act])[] = [
  [3, ['grant', grants(1, 1)]],
  [1, ['grant, typed twice', grants(1, 2)]],
  [1, ['grant to several', grants(4, 1)]],
  [1, ['grant, confirmed twice', grantsSensitive]],
  // Slack lets fifty addresses a minute be looked up.
  ...storiesOfTime.map((story) => [0.4, story] as const),
]
const ofReaders: readonly (readonly [number, Act])[] = [
  [8, ['approval', asksApproval]],
  [8, ['approval for a time', asksForTime]],
]

/** @returns How often each was done. Resolves once everybody has finished what they had begun. */
export async function letPeopleWork(
  world: SoakWorld,
  random: Random,
  untilMs: number,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()

  async function work(soaker: Soaker, own: Random, place: number): Promise<void> {
    const possible = [...ofEverybody, ...(soaker.mayGrant ? ofLeads : ofReaders)]
    // Every soak has these, however short it is.
    const first = soaker.mayGrant ? storiesOfTime.slice(place, place + 1) : []
    while (Date.now() < untilMs) {
      await wait(own.between(500, 3_500))
      const [name, act] = first.shift() ?? own.weighed(possible)
      // A button that is gone, a form that did not open: people shrug, and go on.
      const went = await act({ world, random: own, soaker, story: name }).then(
        () => name,
        () => `${name}, in vain`,
      )
      counts.set(went, (counts.get(went) ?? 0) + 1)
      for (let left = 3; left > 0 && soaker.person.modal !== undefined; left -= 1)
        await soaker.person.closes()
    }
  }

  await Promise.all(world.soakers.map((soaker, place) => work(soaker, random.fork(), place)))
  return counts
}

/** Something happens to one of the alerts, every moment. @returns How many actions happened. */
export async function letAlertsLive(
  { alerts }: SoakWorld,
  random: Random,
  untilMs: number,
): Promise<number> {
  let happened = 0
  while (Date.now() < untilMs) {
    await wait(random.between(250, 750))
    const open = [...alerts.values()].filter(({ isClosed }) => !isClosed)
    if (open.length === 0) continue
    const one = random.pick(open)
    const data = { userId: 7, message: `${one.handle.ks}/${one.actions}` }
    const what = random.weighed([
      [5, 'comment'] as const,
      [2, 'hit'] as const,
      [2, 'close'] as const,
    ])
    if (what === 'hit') {
      one.handle.hit({ severity: Math.floor(random.between(1, 5)) })
      continue
    }
    one.actions += 1
    happened += 1
    one.isClosed = what === 'close'
    if (one.isClosed) one.handle.close('Close', data)
    else one.handle.act({ kind: 'Comment', data })
  }
  return happened
}
