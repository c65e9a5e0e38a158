// Refuses a token that stands where a key belongs: nothing of it is sent, kept or repeated.
import { connectButtonFor } from '../../account/links.ts'
import { renderConnectFirst } from '../../account/render.ts'
import { UserError } from '../../errors.ts'
import { endsAs } from '../../log/request.ts'
import type { From } from '../../slack/guard/requests.ts'
import { tokenSentence } from '../render/no-card.ts'
import type { AlertRoom } from '../room.ts'

/** To whoever types their token for a key. Raw. */
export const ownToken =
  'That’s your own API token, not an alert key, so nothing was looked up. If others may have seen it, revoke it in monitoring and connect a new one.'

/** In a form whose text holds one. Raw. */
export const tokenInText =
  'That holds what looks like an API token, so nothing was sent or stored. Take it out of the text.'

/** Thrown where the key that is to be read holds the asker's own token. */
export class OwnToken extends UserError {
  constructor() {
    super(ownToken)
  }
}

/** Says so to whoever typed it, with the way to where a token belongs. */
export async function refuseToken(
  { account, delivery }: Pick<AlertRoom, 'account' | 'delivery'>,
  { asker, place }: From,
): Promise<void> {
  endsAs('user-error')
  // Only what was typed as a command, or into a form, brings one; the rest stands in the conversation.
  const isWritten = place.responseUrl === undefined
  const where = isWritten ? (place.isDirect ? 'direct' : 'channel') : 'command'
  const button = await connectButtonFor(account.page, asker, '')
  await delivery.privately(place, renderConnectFirst(button, tokenSentence(where)))
}
