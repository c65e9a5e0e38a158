// Answers a submitted form for acting: it stays while it cannot be taken, else what it asks for is done.
import type { From, Submission } from '../slack/guard/requests.ts'
import type { Place } from '../slack/outbound/delivery.ts'

/** The form stays, with what is filled in. @param errors - Sentences by the id of their input, raw. */
export function keepForm({ ack }: Submission, errors: Readonly<Record<string, string>>): Promise<void> {
  return ack({ response_action: 'errors', errors: { ...errors } })
}

/**
 * Does what a form asks for, and answers the form. What fails is told after that: Slack may take its time for it.
 * @param place - Where the verdict goes.
 * @param act - Calls `answerForm` once that is kept or cannot be. It may call it again.
 */
export async function actForForm(
  submission: Submission,
  place: Place,
  act: (from: From, answerForm: () => Promise<void>) => Promise<void>,
): Promise<void> {
  let answered: Promise<void> | undefined
  const answerForm = () => {
    answered ??= submission.ack()
    return answered
  }
  await act(submission.moveTo(place), answerForm).finally(answerForm)
}
