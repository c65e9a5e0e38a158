// What menus of people and conversations offer to whoever is looking.
import type { Offers } from '../blocks/use.ts'
import type { PageState } from '../state.ts'

export function offersOf({ people, channels }: PageState): Offers {
  return {
    people: people.map(({ id, realName }) => ({ id, name: realName })),
    conversations: channels.map(({ id, name, kind }) => ({ id, name, kind })),
  }
}
