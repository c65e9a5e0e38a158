// The stories in which somebody acts on an alert and the bot is ended at each step, and how their books are read.
import type { AlertWrite } from '../../../src/send/writes.ts'
import { actsOf } from '../../audit/read.ts'
import { aliceToken } from '../../playground-world.ts'
import type { Story } from './each-step.ts'

const patient = { limitMs: 20_000 }
const ks = '5HkX'
const verdict = /Commented on|Closed:|Assigned|Not certain|Not sent|Nothing was sent|meanwhile|Nothing to do/

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

const lines = {
  assign: `/alert assign ${ks} 8`,
  comment: `/alert comment ${ks} "Old logs, rotating them now."`,
  close: `/alert close ${ks} "Rotated the logs."`,
} as const satisfies Record<AlertWrite['kind'], string>

/** Alice acts by line on an alert that nobody has. */
export function act(kind: keyof typeof lines): Story<void, ActBooks> {
  return {
    async prepare(world) {
      const { service } = world
      service.revoke(aliceToken)
      const flags = ['API', 'READ', 'ALERT_ASSIGN', 'ALERT_CHANGE'] as const
      service.addToken({ token: aliceToken, name: 'alice', userId: 7, flags: [...flags] })
      service.addMember(12, { email: 'bob@example.com', id: 8, member: true })
      service.addAlert({ ks, message: 'Disk full', containerId: 12 })
      await world.connect()
    },
    act: ({ alice, general }) => alice.types(lines[kind], general),
    end: ({ alice, general }) => alice.sees(verdict, general, patient),
    async books(world) {
      const { alice, general, service, slack } = world
      const told = () =>
        [...alice.messages(general), ...alice.messages(alice.dm)]
          .map(({ plain }) => plain)
          .filter((plain) => verdict.test(plain))
      const puts = service.requests.filter(({ method }) => method === 'PUT').length
      if (puts > 0 && told().length === 0) await alice.sees(verdict, alice.dm, patient)
      // The job that tells late has had its first round.
      await slack.idle(1_000)
      const trail = await actsOf(world)
      return {
        puts,
        actions: service.alert(ks)?.actions.length ?? 0,
        told: told(),
        recorded: trail.filter((one) => one.startsWith(`${kind} `)),
      }
    },
  }
}
