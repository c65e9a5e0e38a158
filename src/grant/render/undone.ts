// Words for a grant that was not begun, that waits for an account, or that may have been sent when something failed. Pure.
import type { UndoneWords, WaitingWords } from '../../slack/request-topics.ts'

export const grantWaits: WaitingWords = {
  toDo: 'To make this grant',
  undone: 'Nothing was granted',
}

export const grantUndone: UndoneWords = {
  nothing: 'Nothing was sent.',
  counted: ', and everyone you grant access to counts as one',
  halfWay:
    'If the grant was already sent, you’ll get the result by direct message. Wait for that before you try again.',
}
