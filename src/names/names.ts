// Names as one person's token showed them: of people by their number at the service, and of an alert's container. Pure.
import { z } from 'zod'
import type { Alert } from '../monitor/schema.ts'

/** Names as one person's token showed them; raw text from the service. Survives JSON. */
export interface Names {
  /** By the service's user id. */
  readonly people: Readonly<Record<string, string>>
  /** The alert's container, where it is known; name undefined where only the number is. */
  readonly container: { readonly id: number; readonly name: string | undefined } | undefined
}

export const noNames: Names = { people: {}, container: undefined }

/** For columns. */
export const namesSchema = z
  .object({
    people: z.record(z.string(), z.string()),
    container: z.object({ id: z.int(), name: z.string().optional() }).optional(),
  })
  .transform(({ people, container }): Names => {
    return { people, container: container && { id: container.id, name: container.name } }
  })

/** Numbers of the people whom an alert mentions, each once: its owner, and who did something or was given it. */
export function peopleMentioned({ ownerId, actions }: Pick<Alert, 'ownerId' | 'actions'>): readonly number[] {
  const inActions = actions.flatMap(({ data }) => [data?.userId, data?.ownerId])
  const numbers = [ownerId, ...inActions].filter((id) => typeof id === 'number')
  return [...new Set(numbers.filter((id) => Number.isSafeInteger(id)))]
}

/** Whether they say the same. */
export function areSameNames(one: Names, other: Names): boolean {
  const [ids, otherIds] = [Object.keys(one.people), Object.keys(other.people)]
  return (
    one.container?.id === other.container?.id &&
    one.container?.name === other.container?.name &&
    ids.length === otherIds.length &&
    ids.every((id) => one.people[id] === other.people[id])
  )
}
