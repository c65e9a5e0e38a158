// Topics of what people ask the bot for, by name, and the three words that the log and the figures have for all of them.
// The features themselves say how each is done. Not to be mixed up with events of Slack, which are no topic.
import type { About } from '../log/request.ts'

/** What may wait until its asker has connected an account. Kept with what waits, so that no name is ever changed. */
export const features = ['look-up', 'refresh', 'share', 'history', 'unfurl', 'watch', 'act', 'grant'] as const
export type Feature = (typeof features)[number]

/** What a request is about: a feature, or what waits for no account. `alert`: a line or a menu of several of them. */
export type Topic = Feature | 'approval' | 'alert' | 'account' | 'home'

export const aboutOf: Readonly<Record<Topic, About>> = {
  'look-up': 'alert',
  refresh: 'alert',
  share: 'alert',
  history: 'alert',
  unfurl: 'alert',
  watch: 'alert',
  act: 'act',
  grant: 'grant',
  approval: 'grant',
  alert: 'alert',
  account: 'alert',
  home: 'alert',
}

/** Words of what waits for an account, for when somebody is asked to connect one. Raw. */
export interface WaitingWords {
  /** What the account is for: “To look this up”. */
  readonly toDo: string
  /** What was not done for want of a token that is accepted: “Nothing was granted”. */
  readonly undone?: string
}

/** Words of those who do it, for when it is not done. Plain text. */
export interface UndoneWords {
  /** What did not happen to what was not begun: “Nothing was sent.” */
  readonly nothing: string
  /** To whom it failed half way: it must not be asked again at once. */
  readonly halfWay?: string
}
