// An entry as it is shown, with the channels and people of the stage on which it is pictured.
import { type Json, record } from '../../slack/model/json.ts'
import { accessId, colleagueId, onCallId } from './stage/sample.ts'
import type { Stage } from './stage/stage.ts'

/** The same with real ids, so that channels are shown by their names. */
export function onStage(
  shown: Json,
  { onCall, access, alice }: Pick<Stage, 'onCall' | 'access' | 'alice'>,
): Json {
  const json = JSON.stringify(shown)
    .replaceAll(onCallId, onCall.id)
    .replaceAll(accessId, access.id)
    .replaceAll(colleagueId, alice.id)
  return record(JSON.parse(json))
}
