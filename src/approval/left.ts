// What of a wish may still be asked for, after the requests that were made for it. Data in, data out.
import { UserError } from '../errors.ts'
import type { Wish } from '../grant/wish.ts'
import type { Approval } from './approvals.ts'
import { grantedBefore, notCertainBefore } from './render/refusals.ts'
import { verdictOf } from './verdict.ts'

/**
 * The wish without those who got it by an approval.
 * @param before - Every request that was made for it.
 * @throws UserError when nobody is left, or when it is not certain what became of somebody.
 */
export function leftOf(wish: Wish, before: readonly Approval[]): Wish {
  let { emails } = wish
  for (const { approver, ending } of before) {
    if (ending?.kind !== 'approved') continue
    const approverName = approver?.name ?? ''
    if (verdictOf(ending.outcomes) === 'uncertain') throw new UserError(notCertainBefore(approverName))
    const granted = ending.outcomes.filter(({ outcome }) => outcome.kind === 'granted')
    emails = emails.filter((email) => !granted.some((one) => one.email === email))
    if (emails.length === 0) throw new UserError(grantedBefore(approverName))
  }
  return { ...wish, emails }
}
