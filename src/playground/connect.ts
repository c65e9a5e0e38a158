// Connects people of the stand-in Slack, before anybody looks on.
import type { Person } from './slack/person.ts'
import type { Slack } from './slack/simulator.ts'

/** How long that may take on a busy machine. */
const CONNECTING_MS = 15_000

/** Connects somebody the way they would themselves. */
export async function connect(person: Person, token: string, slack: Slack): Promise<void> {
  await person.types('/alert connect', person.dm)
  await person.seesModal('Connect account')
  await person.submits({ fields: { 'API token': token } })
  await slack.workspace.changes.until(
    () => person.modal?.plain.includes('Connected') || undefined,
    CONNECTING_MS,
    () => `${person.name} could not connect: ${person.modal?.plain}`,
  )
  await slack.idle()
  await person.closes()
}
