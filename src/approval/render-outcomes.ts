// What became of an approved wish, for one person or for several, each told apart from the others. Pure.
import type { Doubt } from '../grant/grants.ts'
import { whatBecame } from '../grant/render.ts'
import { hasCode, type NotGrantedCode, type Told, type Wish } from '../grant/wishes.ts'
import { isPossibleLater } from './outcomes.ts'

/** Without 401 and 403: those are about the approver's token, and told to them alone. */
type Code = Exclude<NotGrantedCode, 'refused' | 'forbidden'>

const reasons: Readonly<Record<Code, string>> = {
  'bad-request': 'already on the container, or not accepted as given (400)',
  'not-found': 'no such container (404)',
  busy: 'the service asked to slow down (429)',
  unreachable: 'the service could not be reached',
}

const doubts: Readonly<Record<Doubt, string>> = {
  'server-error': 'the service reported a fault of its own',
  'odd-answer': 'the service answered oddly',
  'connection-lost': 'the connection was lost',
  'timed-out': 'no answer in time',
  stopped: 'Bellhop was stopped meanwhile',
}

function line({ email, outcome }: Told): string {
  switch (outcome.kind) {
    case 'granted':
      return `✅ ${email}: granted`
    case 'not-sent':
      return `✋ ${email}: not granted; it was not sent`
    case 'not-granted':
      return outcome.code === 'refused' || outcome.code === 'forbidden'
        ? `✋ ${email}: not granted`
        : `✋ ${email}: not granted; ${reasons[outcome.code]}`
    case 'uncertain':
      return `⚠️ ${email}: not certain; ${doubts[outcome.doubt]}`
    default:
      return outcome satisfies never
  }
}

function listed(words: string, outcomes: readonly Told[]): readonly string[] {
  return outcomes.length === 0 ? [] : [`${words} ${outcomes.map(({ email }) => email).join(', ')}.`]
}

/** Raw lines; none when all there is to say is that it was granted. @param approverName - Raw. */
export function outcomeLines(wish: Wish, outcomes: readonly Told[], approverName: string): readonly string[] {
  const [only] = outcomes
  if (outcomes.length === 1 && only !== undefined && only.outcome.kind !== 'not-sent') {
    const { emails: _, ...rest } = wish
    const said = whatBecame({ ...rest, email: only.email }, only.outcome, approverName)
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
