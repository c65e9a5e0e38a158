// People whom the page can play.
import type { PersonState } from '../../page/state/state.ts'
import type { Person } from '../../slack/person/person.ts'

/** Somebody whom the page can play. */
export interface Player {
  readonly person: Person
  readonly rights: string
  readonly isNew: boolean
  readonly demoToken: string
}

export function playerState({ person, rights, isNew, demoToken }: Player): PersonState {
  const { id, name, member } = person
  return { id, name, realName: member.realName, rights, isNew, demoToken }
}
