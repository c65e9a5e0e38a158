// People and conversations that menus offer to whoever is looking.
import type { Offers } from '../blocks/base/use.ts'
import type { PageState } from '../state/state.ts'

export function offersOf({ members, channels }: PageState): Offers {
  return {
    people: members,
    conversations: channels.map(({ chosenAs, name, kind }) => ({ id: chosenAs, name, kind })),
  }
}
