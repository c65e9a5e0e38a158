// People who go about their work: each does one thing after the other, chosen by chance, and waits a while for what
// comes of it. Nothing they meet stops them; whether it was right is for the books.
import { setTimeout as wait } from 'node:timers/promises'
import { alertActs } from './acts-alert.ts'
import { accountActs, grantActs } from './acts-grant.ts'
import type { Ledger } from './ledger.ts'
import type { Random } from './random.ts'
import { type Act, connectAccount, type Stage } from './stage.ts'
import type { Soaker, SoakWorld } from './world.ts'

/** How long somebody waits for an answer before they do something else, and when work is over. */
const patienceMs = 20_000
const patienceAfterMs = 3_000
const connectingMs = 60_000

const acts: readonly Act[] = [...alertActs, ...grantActs, ...accountActs]

/** @returns How often each was done. Resolves once everybody has finished what they had begun. */
export async function letPeopleWork(
  world: SoakWorld,
  ledger: Ledger,
  random: Random,
  untilMs: number,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  let numbers = 0

  async function work(soaker: Soaker, own: Random): Promise<void> {
    const stage = stageFor({ world, ledger, random: own, soaker, untilMs, number: () => ++numbers })
    const possible = acts.filter(({ may }) => may(soaker)).map((one) => [one.weight, one] as const)
    await wait(own.between(0, 2_000))
    while (Date.now() < untilMs) {
      const { name, act } = own.weighed(possible)
      // A button that is gone, a form that did not open: people shrug, and go on.
      const went = await act(stage).then(
        () => name,
        () => `${name}, in vain`,
      )
      counts.set(went, (counts.get(went) ?? 0) + 1)
      await closeAll(soaker)
      await wait(own.between(500, 3_500))
    }
  }

  await Promise.all(world.soakers.map((soaker) => work(soaker, random.fork())))
  return counts
}

async function closeAll({ person }: Soaker): Promise<void> {
  for (let left = 3; left > 0 && person.modal !== undefined; left -= 1) await person.closes()
}

function stageFor(
  given: Pick<Stage, 'world' | 'ledger' | 'random' | 'soaker' | 'untilMs' | 'number'>,
): Stage {
  const { world, ledger, random, soaker } = given
  const { changes } = world.slack.workspace

  function until<T>(look: () => T | undefined): Promise<T | undefined> {
    const leftMs = Math.max(0, given.untilMs + patienceAfterMs - Date.now())
    return changes.until(look, Math.min(patienceMs, leftMs), () => 'in vain').catch(() => undefined)
  }

  const stage: Stage = {
    ...given,
    channel: () => random.pick(world.channels),
    async types(line, tag, channel = stage.channel()) {
      const asked = ledger.ask(soaker.person, line, tag)
      const delivery = await soaker.person.types(line, channel)
      ledger.brought(asked, delivery)
      if (delivery.outcome === 'acked') await until(() => asked.answeredAt)
      return asked
    },
    until,
    seen: (where, ...words) =>
      until(() => {
        const from = Math.max(0, world.slack.workspace.messages.length - 400)
        const message = world.slack.workspace.messages
          .slice(from)
          .findLast(
            ({ channelId, isDeleted, text, blocks, ephemeralFor }) =>
              channelId === where.id &&
              !isDeleted &&
              (ephemeralFor === undefined || ephemeralFor === soaker.person.id) &&
              words.every((word) => text.includes(word) || JSON.stringify(blocks).includes(word)),
          )
        return message && world.seenBy(soaker.person, message)
      }),
  }
  return stage
}

/** Everybody connects before the faults begin; again when a busy machine was too slow for Slack. */
export async function connectEverybody(world: SoakWorld, ledger: Ledger, random: Random): Promise<void> {
  const untilMs = Date.now() + connectingMs
  for (const soaker of world.soakers) {
    const stage = stageFor({ world, ledger, random, soaker, untilMs, number: () => 0 })
    while (!(await connectAccount(stage))) {
      if (Date.now() > untilMs) throw new Error(`${soaker.person.name} cannot connect`)
      await closeAll(soaker)
    }
    await closeAll(soaker)
  }
}
