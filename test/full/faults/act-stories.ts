// The stories in which somebody acts on an alert and the bot is ended at each step, and how their books are read.
import type { SeenMessage } from '../../../playground/slack/person/seen.ts'
import type { AlertWrite } from '../../../src/send/outcome.ts'
import { actsOf } from '../../audit/read.ts'
import { aliceToken } from '../../playground-world.ts'
import type { Story } from './each-step.ts'
import type { MortalWorld } from './mortal.ts'

const patient = { limitMs: 60_000 }
const ks = '5HkX'
const verdict = /Commented on|Closed:|Not certain|Not sent|Nothing was sent|meanwhile/

const drawnClosed = /^✅ Disk full/

export interface ActBooks {
  /** Requests to the service that change something. */
  readonly puts: number
  /** What the service has done. */
  readonly actions: number
  /** Each message that says what became of it, oldest first. */
  readonly told: readonly string[]
  /** What the audit trail says of it, oldest first. */
  readonly recorded: readonly string[]
}

async function prepare(world: MortalWorld): Promise<void> {
  const { service } = world
  service.revoke(aliceToken)
  const flags = ['API', 'READ', 'CONTAINER_ACCESS', 'ALERT_ASSIGN', 'ALERT_CHANGE'] as const
  service.addToken({ token: aliceToken, name: 'alice', userId: 7, flags: [...flags] })
  for (const [id, name] of [
    [7, 'alice'],
    [8, 'bob'],
  ] as const) {
    service.addMember(12, { email: `${name}@example.com`, id, member: true })
  }
  service.addAlert({ ks, message: 'Disk full', containerId: 12 })
  await world.connect()
}

/** Alice comments on an alert by a line. */
export const comment: Story<void, ActBooks> = {
  prepare,
  act: ({ alice, general }) => alice.types(`/alert comment ${ks} "Old logs, rotating them now."`, general),
  end: ({ alice, general }) => alice.sees(verdict, general, patient),
  books: booksOf('comment'),
}

/** Alice closes an alert in the form. */
export const closeInForm: Story<void, ActBooks> = {
  async prepare(world) {
    await prepare(world)
    await world.alice.presses('Close alert', await cardOf(world, `/alert ${ks}`))
    await world.alice.seesModal('Close alert')
  },
  act: ({ alice }) => alice.submits({ fields: { 'What fixed it?': 'Rotated the logs.' } }),
  end: ({ alice, general }) => alice.sees(/^✅ Disk full|Closed:/, general, patient),
  books: booksOf('close'),
}

async function cardOf({ alice, general, slack }: MortalWorld, line: string): Promise<SeenMessage> {
  await alice.types(line, general)
  const card = await alice.sees('Disk full', general)
  await slack.idle()
  return card
}

function booksOf(kind: AlertWrite['kind']): Story<unknown, ActBooks>['books'] {
  return async (world, _scene, isKept) => {
    const { alice, general, service, slack } = world
    const told = () => {
      const shown = [...alice.messages(general), ...alice.messages(alice.dm)].map(({ plain }) => plain)
      const words = shown.filter((plain) => verdict.test(plain))
      // The card that it was done on says so as well, and then nothing else need.
      return words.length > 0 ? words : shown.filter((plain) => drawnClosed.test(plain))
    }
    const puts = service.requests.filter(({ method }) => method === 'PUT').length
    if (isKept && told().length === 0) await alice.sees(verdict, alice.dm, patient)
    // The job that tells late has had more rounds.
    await slack.idle(1_000)
    const trail = await actsOf(world)
    return {
      puts,
      actions: service.alert(ks)?.actions.length ?? 0,
      told: told(),
      recorded: trail.filter((one) => one.startsWith(`${kind} `)),
    }
  }
}
