// Names for an alert: what its reader's token has shown before, and what is missing, learned once the alert is shown.
import type { Alert } from '../monitor/schema.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { FromLink } from './containers.ts'
import { type Names, noNames } from './names.ts'
import type { NamesRoom } from './room.ts'

/** From what this owner's token has shown before; asks nobody. */
export async function namesKnown(
  _room: NamesRoom,
  _owner: SlackUser,
  _alert: Alert,
  _link: FromLink | undefined,
): Promise<Names> {
  return noNames
}

/** Reads what is missing with the owner's token. */
export async function learnNames(
  _room: NamesRoom,
  _owner: SlackUser,
  _token: string,
  _alert: Alert,
  _link: FromLink | undefined,
): Promise<{ readonly names: Names; readonly isNews: boolean }> {
  return { names: noNames, isNews: false }
}
