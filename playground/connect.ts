// Connects people of the stand-in Slack, before anybody looks on.
import type { Person } from './slack/person/person.ts'
import type { Slack } from './slack/simulator.ts'

/** How long that may take on a busy machine. */
const CONNECTING_MS = 15_000

/** Connects somebody the way they would themselves: in the modal, or on the page where that is what the bot offers. */
export async function connect(person: Person, token: string, slack: Slack): Promise<void> {
  const { changes } = slack.workspace
  await person.types('/alert connect', person.dm)
  const offered = await changes.until(
    () => person.modal,
    CONNECTING_MS,
    () => `${person.name} was not offered to connect`,
  )
  const link = offered.urlOf('Connect account')
  if (link === undefined) await person.submits({ fields: { 'API token': token } })
  else {
    await person.presses('Connect account', offered)
    await connectAt(link, token, person)
  }
  await changes.until(
    () => person.modal?.plain.includes('Connected') || undefined,
    CONNECTING_MS,
    () => `${person.name} could not connect: ${person.modal?.plain}`,
  )
  await slack.idle()
  await person.closes()
}

/** Fills in the form on the page, as a browser would. */
export async function connectAt(link: string, token: string, { name }: Person): Promise<void> {
  const given = await fetch(link, {
    method: 'POST',
    body: new URLSearchParams({ token }),
    redirect: 'manual',
  })
  if (!given.ok) throw new Error(`${name} could not connect: the page answered ${given.status}`)
}
