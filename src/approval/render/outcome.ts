// Words for how a request stands, in a few words and in detail. Pure; raw text.
import { doubtedNote, whatBecame } from '../../grant/render/receipt.ts'
import { hasCode, type Result } from '../../grant/wish.ts'
import { declinedSign, doubtWords, signs, writeWords } from '../../send/words.ts'
import { cut } from '../../slack/text/mrkdwn.ts'
import { type Approval, isPossibleLater, type Verdict, verdictOf } from '../approvals.ts'

const longestName = 80
/** An address is no longer where it stands in full above. */
const briefEmail = 60

const { refusals, shortWords } = writeWords['add-user']

/** Names as they are shown, raw. */
export function shortName(name: string): string {
  return cut(name, longestName)
}

export interface StateWords {
  /** The news. */
  readonly words: string
  /** Behind it. */
  readonly rest: string
  /** How long ago it was belongs behind them. */
  readonly isTimed: boolean
}

/** Says how it stands; undefined while it is open. @param readerId - Who is “you”, where one person reads it. */
export function stateWordsOf(approval: Approval, readerId?: string): StateWords | undefined {
  const { state, ending, approver, asker, askerName } = approval
  const nameOf = (userId: string | undefined, name: string) => (userId === readerId ? 'you' : shortName(name))
  if (state === 'open') return undefined
  const by = approver === undefined ? '' : nameOf(approver.userId, approver.name)
  if (state === 'granting' || ending === undefined) {
    return { words: `⏳ Approved by ${by}, granting now`, rest: '', isTimed: false }
  }
  switch (ending.kind) {
    case 'approved':
      return approvedWords(ending.results, by)
    case 'declined':
      return {
        words: `${declinedSign} Declined by ${nameOf(ending.by.userId, ending.by.name)}`,
        rest: `: “${ending.reason}”`,
        isTimed: false,
      }
    case 'withdrawn':
      return { words: `Withdrawn by ${nameOf(asker.userId, askerName)}`, rest: '', isTimed: true }
    case 'expired':
      return { words: 'Expired: nobody decided in time', rest: '', isTimed: false }
    default:
      return ending satisfies never
  }
}

const verdictSigns: Readonly<Record<Verdict, string>> = {
  granted: '✅',
  'in-part': '⚠️',
  'not-granted': '⚠️',
  uncertain: '❓',
}

function approvedWords(results: readonly Result[], by: string): StateWords {
  const verdict = verdictOf(results)
  const sign = verdictSigns[verdict]
  if (verdict === 'granted') return { words: `${sign} Granted by ${by}`, rest: '', isTimed: true }
  return { words: `${sign} Approved by ${by}, ${afterApproval(results)}`, rest: '', isTimed: false }
}

/** What came of an approval, behind who approved it. */
export function afterApproval(results: readonly Result[]): string {
  const count = (kind: Result['outcome']['kind']) =>
    results.filter(({ outcome }) => outcome.kind === kind).length
  const verdict = verdictOf(results)
  switch (verdict) {
    case 'granted':
      return 'and access has been granted'
    case 'in-part':
      return `but only ${count('done')} of ${results.length} people got access`
    case 'not-granted':
      return 'but monitoring refused it'
    case 'uncertain':
      return results.length === 1
        ? 'but it’s not certain whether it was granted'
        : `but it’s not certain for ${count('uncertain')} of ${results.length} people`
    default:
      return verdict satisfies never
  }
}

/**
 * Why it was not granted, or what to check, for everybody who sees the request. Nothing where the words of how it stands
 * say it all.
 */
export function detailsOf(approval: Approval, isBrief = false): readonly string[] {
  const { ending } = approval
  if (ending?.kind !== 'approved') return []
  const { results } = ending
  const shown = isBrief ? results.map((one) => ({ ...one, email: cut(one.email, briefEmail) })) : results
  const lines = verdictOf(results) === 'granted' ? [] : resultLines(approval, shown)
  return results.some(({ wasDoubted }) => wasDoubted) ? [doubtedNote, ...lines] : lines
}

/**
 * Raw lines about one person or several, each told apart from the others; none when all there is to say is that it was
 * granted.
 */
export function resultLines(
  { wish, container, approver }: Pick<Approval, 'wish' | 'container' | 'approver'>,
  results: readonly Result[],
): readonly string[] {
  const [only] = results
  if (results.length === 1 && only !== undefined && only.outcome.kind !== 'not-sent') {
    const said = whatBecame(wish, only, { senderName: approver?.name ?? '', container })
    return said === '' ? [] : [said]
  }
  const unsure = results.filter(({ outcome }) => outcome.kind === 'uncertain')
  // A container that is not there is not there for anybody.
  const isGone = hasCode(results, 'not-found')
  const later = isGone ? [] : results.filter(isPossibleLater)
  return [
    ...results.map(resultLine),
    ...listed('Before anybody asks again, check in monitoring whether it worked for', unsure),
    ...listed('Not granted, but another request may work:', later),
  ]
}

function resultLine({ email, outcome }: Result): string {
  const said = (kind: keyof typeof signs) => `${signs[kind]} ${email}: ${shortWords[kind]}`
  switch (outcome.kind) {
    case 'done':
      return said('done')
    case 'not-sent':
      return `${said('not-done')}; nothing was sent`
    case 'not-done': {
      // News of the approver's token is for them alone.
      const why = refusals[outcome.code].card
      return why === undefined ? said('not-done') : `${said('not-done')}; ${why}`
    }
    case 'uncertain':
      return `${said('uncertain')}; ${doubtWords[outcome.doubt].card}`
    default:
      return outcome satisfies never
  }
}

function listed(words: string, results: readonly Result[]): readonly string[] {
  return results.length === 0 ? [] : [`${words} ${results.map(({ email }) => email).join(', ')}.`]
}
