// People and conversations that menus offer to whoever is looking.
import type { Offers } from '../blocks/use.ts'
import type { PageState } from '../state.ts'

export function offersOf({ members, channels }: PageState): Offers {
  return {
    people: members,
    conversations: channels.map(({ chosenAs, name, kind }) => ({ id: chosenAs, name, kind })),
  }
}
