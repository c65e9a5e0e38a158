// Words for a grant that was not begun, or that may have been sent when something failed. Pure.
import type { UndoneWords } from '../../slack/topics.ts'

export const grantUndone: UndoneWords = {
  nothing: 'Nothing was sent.',
  counted: ', and each person who is granted access counts as one',
  halfWay:
    'If a grant was sent, a direct message tells you what became of it; wait for that before you ask again.',
}
