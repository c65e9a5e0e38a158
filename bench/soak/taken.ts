// What Slack has taken from the bots of a soak: what people could read, at some time.
import type { Call } from '../../playground/slack/model/model.ts'
import { type SoakWorld, tagsIn } from './world.ts'

/** Oldest first, also what was drawn over since. */
export const takenBy = ({ slack }: SoakWorld) =>
  slack.calls.filter(({ answer }) => answer.ok === true).map(readOnce)
export type Taken = ReturnType<typeof takenBy>

const read = new WeakMap<Call, ReturnType<typeof readCall>>()
/** Looked at every moment, and there are thousands. */
function readOnce(call: Call) {
  const known = read.get(call) ?? readCall(call)
  read.set(call, known)
  return known
}

function readCall({ method, path, args, answer, startedAt: at }: Call) {
  const whole = JSON.stringify(args)
  return { method, path, args, whole, at, ts: String(answer.ts), tags: tagsIn(whole) }
}
