// Somebody connects on the token page, as people do where the bot has one.
import { connectAt } from '../playground/connect.ts'
import type { Channel } from '../playground/slack/model/model.ts'
import type { Person } from '../playground/slack/person/person.ts'
import type { Slack } from '../playground/slack/simulator.ts'

/** Resolves when the message with the link is taken away. @param at - Where the bot believes to be, and where it is. */
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
  const prompt = await person.sees('Bellhop then asks it as you', at.channel)
  const link = prompt.urlOf('Connect account') ?? ''
  await person.presses('Connect account', prompt)
  await connectAt(link.replace(at.publicUrl, at.url), token, person)
  await at.slack.workspace.changes.until(
    () => prompt.message.isDeleted || undefined,
    5000,
    () => `${person.name} still sees ${prompt.plain}`,
  )
}
