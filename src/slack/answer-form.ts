// Answers a form whose outcome takes a moment: in the ack where it is there soon enough, else later in its place.
import type { View } from './message.ts'
import type { Outbound } from './outbound.ts'
import type { PerWorkspace } from './per-workspace.ts'
import { isSlackFailure } from './refusals.ts'
import type { Submission } from './requests.ts'

/** Slack wants the ack within three seconds, and some of them are gone when a listener begins. */
export const quickMs = 1_500

/**
 * Works for a submitted form, once, and shows what came of it.
 * @param waiting - Stands there meanwhile when the work takes long.
 * @returns `isSeen`: false where the form was closed meanwhile, or Slack does not take the view.
 */
export type AnswerForm = <Outcome extends { readonly view: View }>(
  submission: Pick<Submission, 'asker' | 'viewId' | 'takeOnce' | 'ack'>,
  waiting: View,
  work: () => Promise<Outcome>,
) => Promise<Outcome & { readonly isSeen: boolean }>

export function createAnswerForm(room: {
  readonly outbound: PerWorkspace<Pick<Outbound, 'updateView'>>
  readonly wait: (ms: number) => Promise<void>
}): AnswerForm {
  const { outbound, wait } = room
  return async ({ asker, viewId, takeOnce, ack }, waiting, work) => {
    const done = takeOnce().then(work)
    const quick = await Promise.race([done, wait(quickMs).then(() => undefined)])
    if (quick !== undefined) {
      await ack({ response_action: 'update', view: quick.view })
      return { ...quick, isSeen: true }
    }
    await ack({ response_action: 'update', view: waiting })
    const outcome = await done
    const isSeen = await outbound
      .in(asker.workspaceId)
      .updateView(viewId, outcome.view)
      .catch((error: unknown) => {
        if (isSlackFailure(error)) return false
        throw error
      })
    return { ...outcome, isSeen }
  }
}
