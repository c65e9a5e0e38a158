// Many people, each with a channel of their own that the bot is in, and with an account.
import type { MonitorService } from '../../../playground/monitor/start-monitor.ts'
import type { Channel } from '../../../playground/slack/model/model.ts'
import type { Person } from '../../../playground/slack/person/person.ts'
import type { Slack } from '../../../playground/slack/simulator.ts'

export interface Connected {
  readonly person: Person
  readonly channel: Channel
}

const atATime = 20

/** Connects everybody through the modal, as people do. */
export async function connectAll(
  { slack, service }: { readonly slack: Slack; readonly service: MonitorService },
  count: number,
): Promise<readonly Connected[]> {
  const people = Array.from({ length: count }, (_, index): Connected => {
    const name = `person${index}`
    const person = slack.addPerson({ name, email: `${name}@example.com` })
    service.addToken({ token: `load-token-${index}`, name, flags: ['API', 'READ'] })
    return {
      person,
      channel: slack.addChannel({ name: `channel${index}`, members: [person], botIsMember: true }),
    }
  })

  async function connect({ person, channel }: Connected, index: number): Promise<void> {
    await person.types('/alert connect', channel)
    await person.seesModal('Connect account')
    await person.submits({ fields: { 'API token': `load-token-${index}` } })
    await slack.workspace.changes.until(
      () => person.modal?.plain.includes('Connected') || undefined,
      30_000,
      () => `${person.name} is not connected: ${person.modal?.plain}`,
    )
    await person.closes()
  }

  const left = people.entries()
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (const [index, one] of left) await connect(one, index)
    }),
  )
  await slack.idle()
  return people
}
