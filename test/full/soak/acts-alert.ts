// Acts of people with alerts.

import { tags } from './ledger.ts'
import type { Act, Stage } from './stage.ts'

const anybody = () => true

/** A new alert with a story, known by its key everywhere. */
function newAlert({ world, number }: Stage): string {
  const ks = tags.alert(number())
  const actions = [{ kind: 'Comment', data: { userId: 7, message: `${ks}/0` } }]
  world.addAlert({ ks, message: `Disk of ${ks} is filling up`, actions })
  return ks
}

async function lookUp(stage: Stage, how: string): Promise<string> {
  const ks = newAlert(stage)
  await stage.types(`/alert ${ks}${how}`, ks)
  return ks
}

/** Presses a button on a card of the last few minutes. */
async function press(
  { world, ledger, soaker, random }: Stage,
  label: string,
  isLive: boolean,
): Promise<string> {
  const all = [...ledger.cards.values()].slice(-60)
  const cards = all.filter(({ ts, isDeleted }) => !isDeleted && ledger.watched.has(ts) === isLive)
  const message = random.pick(cards)
  const card = world.seenBy(soaker.person, message)
  const watched = ledger.watched.get(message.ts)
  // Before it is pressed: from then on it may be over.
  if (label === 'Stop watching' && card.control(label) && watched !== undefined) watched.isStopped = true
  if (label === 'Watch') {
    const [ks = ''] = JSON.stringify(message.blocks).match(/soak-\d+k/) ?? []
    ledger.watchersOf.set(ks, [...(ledger.watchersOf.get(ks) ?? []), soaker.person.id])
  }
  await soaker.person.presses(label, card)
  return message.ts
}

async function mention(stage: Stage): Promise<void> {
  const { ledger, soaker, until, channel } = stage
  const ks = newAlert(stage)
  const asked = ledger.ask(soaker.person, `@bellhop alert ${ks}`, ks)
  const { deliveries } = await soaker.person.writes(asked.line, channel())
  for (const delivery of deliveries) ledger.brought(asked, delivery)
  if (asked.outcome === 'acked') await until(() => asked.answeredAt)
}

export const alertActs: readonly Act[] = [
  { name: 'alert', weight: 5, may: anybody, act: async (stage) => void (await lookUp(stage, '')) },
  {
    name: 'alert, private',
    weight: 1,
    may: anybody,
    act: async (stage) => void (await lookUp(stage, ' private')),
  },
  {
    name: 'alert, watch',
    weight: 3,
    may: anybody,
    act: async (stage) => void (await lookUp(stage, ' watch')),
  },
  {
    name: 'alert, unknown',
    weight: 1,
    may: anybody,
    act: async (stage) => {
      const ks = tags.alert(stage.number())
      await stage.types(`/alert ${ks}`, ks)
    },
  },
  { name: 'alert, by mention', weight: 1, may: anybody, act: mention },
  {
    name: 'Refresh',
    weight: 2,
    may: anybody,
    act: async (stage) => void (await press(stage, 'Refresh', false)),
  },
  { name: 'Watch', weight: 1, may: anybody, act: async (stage) => void (await press(stage, 'Watch', false)) },
  {
    name: 'Stop watching',
    weight: 1,
    may: anybody,
    act: async (stage) => void (await press(stage, 'Stop watching', true)),
  },
]
