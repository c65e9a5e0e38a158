// The context that parts of the page need wherever they stand: what is seen, and what can be done.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Offers } from '../../blocks/base/use.ts'
import type { Act } from '../../state/acts.ts'
import type { PageState } from '../../state/state.ts'
import type { Drafts } from './drafts.ts'

export interface Page {
  readonly state: PageState
  readonly offers: Offers
  /** Lines not sent yet, and those that were. */
  readonly drafts: Drafts
  /** Does it as whoever is played. Says what could not be done by itself, and returns it. */
  readonly act: (act: Act) => Promise<string | undefined>
  /** How often something was sent from a message box. */
  readonly sends: number
  /** A short notice that goes away by itself. */
  readonly notify: (words: string) => void
  /**
   * @param ts - Of the message that the thread belongs to.
   * @param isToReply - The focus goes to its message box.
   */
  readonly openThread: (ts: string, isToReply?: boolean) => void
  /** A channel's name or `home`, and the name of whoever is played, as in the address. */
  readonly place: string
  readonly as: string
  readonly goTo: (place: string) => void
  /** Plays somebody else. */
  readonly beAs: (name: string) => void
  /** Puts a line into the message box of the channel that is open. */
  readonly putLine: (line: string) => void
}

export const PageContext = createContext<Page | undefined>(undefined)

export function usePage(): Page {
  const page = useContext(PageContext)
  if (!page) throw new Error('Stands outside of the page')
  return page
}
