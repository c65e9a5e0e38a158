// What became of an approved wish, for one person or for several, each told apart from the others. Pure.
import { whatBecame } from '../../grant/render/receipt.ts'
import { hasCode, type Result, type Wish } from '../../grant/wish.ts'
import { doubtWords, refusalWords, shortWords, signs } from '../../send/words.ts'
import { isPossibleLater } from '../verdict.ts'

function line({ email, outcome }: Result): string {
  const said = (kind: keyof typeof signs) => `${signs[kind]} ${email}: ${shortWords[kind]}`
  switch (outcome.kind) {
    case 'granted':
      return said('granted')
    case 'not-sent':
      return `${said('not-granted')}; it was not sent`
    case 'not-granted': {
      // What is about the approver's token is told to them alone.
      const why = refusalWords[outcome.code].card
      return why === undefined ? said('not-granted') : `${said('not-granted')}; ${why}`
    }
    case 'uncertain':
      return `${said('uncertain')}; ${doubtWords[outcome.doubt].card}`
    default:
      return outcome satisfies never
  }
}

function listed(words: string, outcomes: readonly Result[]): readonly string[] {
  return outcomes.length === 0 ? [] : [`${words} ${outcomes.map(({ email }) => email).join(', ')}.`]
}

/** Raw lines; none when all there is to say is that it was granted. @param approverName - Raw. */
export function outcomeLines(
  wish: Wish,
  outcomes: readonly Result[],
  approverName: string,
): readonly string[] {
  const [only] = outcomes
  if (outcomes.length === 1 && only !== undefined && only.outcome.kind !== 'not-sent') {
    const said = whatBecame(wish, only, approverName)
    return said === '' ? [] : [said]
  }
  const unsure = outcomes.filter(({ outcome }) => outcome.kind === 'uncertain')
  // A container that is not there is not there for anybody.
  const isGone = hasCode(outcomes, 'not-found')
  const later = isGone ? [] : outcomes.filter(({ outcome }) => isPossibleLater(outcome))
  return [
    ...outcomes.map(line),
    ...listed('Check in monitoring, before anybody asks again, whether it was done for', unsure),
    ...listed('Not granted, and possible later with another request:', later),
  ]
}
