// Somebody connects an account as people do: in the modal, or on the token page where the bot has one.
import { connectAt } from '../playground/connect.ts'
import type { Channel } from '../playground/slack/model/model.ts'
import type { Person } from '../playground/slack/person/person.ts'
import type { Slack } from '../playground/slack/simulator.ts'

/** Resolves when the modal is closed again. */
export async function connectInModal(
  person: Person,
  token: string,
  { channel, slack }: { readonly channel: Channel; readonly slack: Slack },
): Promise<void> {
  await person.types('/alert connect', channel)
  await person.seesModal('Connect account')
  await person.submits({ fields: { 'API token': token } })
  await slack.workspace.changes.until(
    () => person.modal?.plain.includes('Connected') || undefined,
    // Many may connect at once, while other tests run beside them.
    60_000,
    () => `${person.name} is not connected: ${person.modal?.plain}`,
  )
  await person.closes()
}

/** Resolves when the modal is closed again. @param at - Where the bot believes to be, and where it is. */
export async function connectOnPage(
  person: Person,
  token: string,
  at: {
    readonly channel: Channel
    readonly slack: Slack
    readonly publicUrl: string
    readonly url: string
  },
): Promise<void> {
  await person.types('/alert connect', at.channel)
  const modal = await person.seesModal('Connect account')
  const link = modal.urlOf('Connect account') ?? ''
  await person.presses('Connect account', modal)
  await connectAt(link.replace(at.publicUrl, at.url), token, person)
  await at.slack.workspace.changes.until(
    () => person.modal?.plain.includes('Connected.') || undefined,
    5000,
    () => `${person.name} still sees ${person.modal?.plain}`,
  )
  await person.closes()
}
