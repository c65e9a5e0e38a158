// Words for what a request is about, where the guard or an account has to say something of it. Raw.
import type { About } from '../log/request.ts'

export interface TopicWords {
  /** What did not happen to what was not begun: “Nothing was sent.” */
  readonly nothing: string
  /** To whom it failed half way: it must not be asked again at once. */
  readonly halfWay?: string
  /** What an account is for: “To look this up”. */
  readonly toDo: string
  /** What was not done for want of a token that is accepted: “Nothing was granted”. */
  readonly undone?: string
}

export const topics: Readonly<Record<About, TopicWords>> = {
  alert: { nothing: 'Nothing was done.', toDo: 'To look this up' },
  act: {
    nothing: 'Nothing was sent.',
    halfWay:
      'If it was already sent, you’ll get the result by direct message. Wait for that before you try again.',
    toDo: 'To change this alert',
    undone: 'Nothing was sent',
  },
  grant: {
    nothing: 'Nothing was sent.',
    halfWay:
      'If the grant was already sent, you’ll get the result by direct message. Wait for that before you try again.',
    toDo: 'To make this grant',
    undone: 'Nothing was granted',
  },
}
