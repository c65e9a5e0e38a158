// Answers a form whose outcome takes a moment: in the ack where it is there soon enough, else later in its place.
import type { House } from '../../house.ts'
import { unlessSlackFails } from '../client.ts'
import type { View } from '../outbound/message.ts'
import type { Submission } from './requests.ts'

/** Slack wants the ack within three seconds, and some of them are gone when a listener begins. */
export const quickMs = 1_200

/**
 * How long an ack has to take effect: Slack may apply it after a call that was made right behind it, and the view then
 * stays as the ack had it. Source: slackapi/bolt-python#481, slackapi/bolt-js#1827.
 */
const settleMs = 750

export interface FormOutcome {
  /** In its place. */
  readonly view: View
  /**
   * Instead, while it stands as it was submitted: closes it, or shows errors at its inputs (plain text, by block id). Slack
   * can do neither to a form that was answered already.
   */
  readonly atOnce?: 'close' | Readonly<Record<string, string>>
}

/** Works, once. @param waiting - Stands there meanwhile. @returns `isSeen`: false where the form is gone. */
export async function answerForm<Outcome extends FormOutcome>(
  { slack, wait }: Pick<House, 'slack' | 'wait'>,
  { viewId, claim, correct, ack }: Submission,
  waiting: View,
  work: () => Promise<Outcome>,
): Promise<Outcome & { readonly isSeen: boolean }> {
  const done = claim().then(work)
  const soon = await Promise.race([done, wait(quickMs).then(() => undefined)])
  if (soon !== undefined) {
    const { view, atOnce } = soon
    if (typeof atOnce === 'object') await correct(atOnce)
    else await ack(atOnce === 'close' ? undefined : view)
    return { ...soon, isSeen: true }
  }
  await ack(waiting)
  const [outcome] = await Promise.all([done, wait(settleMs)])
  const isSeen = (await unlessSlackFails(slack.updateView(viewId, outcome.view))) ?? false
  return { ...outcome, isSeen }
}
