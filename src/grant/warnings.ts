// Finds warnings of a loss that people can’t undo by themselves. They are shown in the question and on the card for
// approval, and found anew before anything is sent.

import { refOfContainer } from '../ends/states.ts'
import type { House } from '../house.ts'
import { type ContainerPerson, isSameAddress } from '../monitor/schema.ts'
import { ownIdOf } from '../names/own-id.ts'
import type { AccessWrite, Warning } from '../send/outcome.ts'
import type { Whom } from '../send/whom.ts'
import type { SlackUser } from '../slack/person.ts'

type Taking = Pick<AccessWrite, 'kind' | 'containerId' | 'takes'> & {
  readonly people: readonly Whom[]
}

/** Warnings of a removal, or of a write that takes flags. @param list - The container’s people, as just read. */
export async function warningsFor(
  house: House,
  asker: SlackUser,
  list: readonly ContainerPerson[],
  { kind, containerId, takes = [], people }: Taking,
): Promise<readonly Warning[]> {
  if (kind !== 'remove' && takes.length === 0) return []

  const { workspaceId } = asker
  const isLost = kind === 'remove' || takes.includes('CONTAINER_ACCESS')
  const managers = list.filter(({ permissions }) => permissions.includes('CONTAINER_ACCESS'))
  const ids = people.map(({ there }) => there?.userId)
  const isLast = isLost && managers.length > 0 && managers.every(({ id }) => ids.includes(id))

  // Access for a time is taken back with its giver’s account, which needs API and CONTAINER_ACCESS for that.
  const isNeeded = isLost || takes.includes('API')
  const ref = refOfContainer(containerId)
  const ends = isNeeded ? await house.storage.ends.list({ workspaceId, ref }) : []
  const giverIds = [...new Set(ends.map(({ giverId }) => giverId))]
  const givers = await Promise.all(
    giverIds.map((userId) => isOneOf(house, { workspaceId, userId }, people)),
  )

  const warnings: Warning[] = []
  if (await isOneOf(house, asker, people)) warnings.push('own')
  if (isLast) warnings.push('last-manager')
  if (givers.includes(true)) warnings.push('gave-for-a-time')

  return warnings
}

async function isOneOf(house: House, person: SlackUser, people: readonly Whom[]): Promise<boolean> {
  const address = (await house.slack.people.whoIs(person.userId))?.email
  const own = await ownIdOf(house, person)

  return people.some(({ email, slackId, there }) => {
    const isKnown = own !== undefined && own === there?.userId
    if (isKnown || slackId === person.userId) return true

    return Boolean(address && email && isSameAddress(email, address))
  })
}
