// Answers a form whose outcome takes a moment: in the ack where it is there soon enough, else later in its place.

import type { ViewResponseAction } from '@slack/bolt'
import type { House } from '../../house.ts'
import { unlessSlackFails } from '../client/slack-error.ts'
import type { View } from '../outbound/message.ts'
import { mrkdwn, plain } from '../text/mrkdwn.ts'
import { Replayed } from './once.ts'
import type { Submission } from './requests.ts'

/** Slack wants the ack within three seconds, and some of them are gone when a listener begins. */
export const quickMs = 1_200

/**
 * How long an ack has to take effect: Slack may apply it after a call that was made right behind it, and the view then
 * stays as the ack had it. Source: slackapi/bolt-python#481, slackapi/bolt-js#1827.
 */
const settleMs = 750

/** What becomes of a form. */
export interface FormOutcome {
  /** In its place. */
  readonly view: View
  /**
   * Instead, while it stands as it was submitted: closes it, or shows errors at its inputs (plain text, by block id). Slack
   * can do neither to a form that was answered already.
   */
  readonly atOnce?: 'close' | Readonly<Record<string, string>>
}

/**
 * Works for a submitted form, once, and shows what came of it.
 * @param waiting - Stands there meanwhile when the work takes long.
 * @throws What the work throws, after the form has said that something went wrong.
 * @returns `isSeen`: false where the form was closed meanwhile, or Slack does not take the view.
 */
export async function answerForm<Outcome extends FormOutcome>(
  { slack, wait }: Pick<House, 'slack' | 'wait'>,
  { viewId, claim, ack }: Pick<Submission, 'viewId' | 'claim' | 'ack'>,
  waiting: View,
  work: () => Promise<Outcome>,
): Promise<Outcome & { readonly isSeen: boolean }> {
  const done = claim().then(work)
  /** Resolves once the ack that it takes a while has settled. */
  let settled: Promise<void> | undefined

  /** False where nobody sees it. */
  async function show({ view, atOnce }: FormOutcome): Promise<boolean> {
    if (settled === undefined) {
      await ack(responseFor(view, atOnce))
      return true
    }
    await settled
    return (await unlessSlackFails(slack.updateView(viewId, view))) ?? false
  }

  const isOver = () => true
  if (!(await Promise.race([done.then(isOver, isOver), wait(quickMs)]))) {
    await ack(responseFor(waiting))
    settled = wait(settleMs)
  }
  const outcome = await done.catch(async (error: unknown) => {
    // The form belongs to whoever was first.
    if (!(error instanceof Replayed)) await show({ view: failedForm(waiting) })
    throw error
  })
  return { ...outcome, isSeen: await show(outcome) }
}

/** In place of a form whose work failed: how far it came is not known. */
function failedForm({ title }: View): View {
  const sentence =
    'Something went wrong in Bellhop, so this may not have worked. Close this form and try again in a minute.'
  return {
    type: 'modal',
    title,
    close: plain('Close'),
    blocks: [{ type: 'section', text: mrkdwn(sentence) }],
  }
}

function responseFor(view: View, atOnce?: FormOutcome['atOnce']): ViewResponseAction | undefined {
  if (atOnce === undefined) return { response_action: 'update', view }
  return atOnce === 'close' ? undefined : { response_action: 'errors', errors: { ...atOnce } }
}
