// Finds what a person on the page points at, if they can see it.
import type { Chosen, ControlId, Place } from '../page/state/acts.ts'
import type { Json } from '../slack/model/json.ts'
import type { Channel } from '../slack/model/model.ts'
import {
  type Control,
  heldValue,
  interactive,
  isList,
  optionsOf,
  valueKey,
} from '../slack/model/view-state.ts'
import { SeenMessage, type SeenModal } from '../slack/person/seen.ts'
import type { SeenUnfurl } from '../slack/person/seen-unfurl.ts'
import { isSeenBy } from '../slack/workspace/eyes.ts'
import { Impossible } from './playing/act-schema.ts'
import type { Player } from './playing/player.ts'
import { channelsOf, type Scene } from './scene.ts'

/** @throws Impossible */
export function channelInSight(channelId: string, { person }: Player, { slack }: Scene): Channel {
  const channel = channelsOf(person, slack).find(({ id }) => id === channelId)
  if (!channel) throw new Impossible(`${person.name} sees no such channel.`)
  return channel
}

/** @throws Impossible when it was deleted, or is for other eyes. */
export function messageInSight(
  { channelId, ts }: { readonly channelId: string; readonly ts: string },
  player: Player,
  scene: Scene,
): SeenMessage {
  const { person } = player
  const channel = channelInSight(channelId, player, scene)
  const message = scene.slack
    .messagesIn(channel)
    .find((one) => one.ts === ts && isSeenBy(one, person.id))
  if (!message) throw new Impossible('This message is gone.')
  return new SeenMessage(message, person.member, scene.slack.workspace)
}

/** The open modal, or the Home tab. @throws Impossible when it was closed. */
export function viewInSight(viewId: string, { person }: Player): SeenModal {
  const found = [person.modal, person.home].find((one) => one?.view.id === viewId)
  if (!found) throw new Impossible('This form is no longer on top.')
  return found
}

/** @throws Impossible */
export function placeInSight(
  place: Place,
  player: Player,
  scene: Scene,
): SeenMessage | SeenUnfurl | SeenModal {
  if (place.kind === 'view') return viewInSight(place.viewId, player)
  const message = messageInSight(place, player, scene)
  if (place.kind === 'message') return message
  const unfurl = message.unfurls.find((one) => one.unfurl.id === place.unfurlId)
  if (!unfurl) throw new Impossible('This preview is gone.')
  return unfurl
}

/** @throws Impossible when the message or view has changed in the meantime. */
export function controlIn(blocks: readonly Json[], { blockId, actionId }: ControlId): Control {
  const found = interactive(blocks).find(
    (one) => one.blockId === blockId && one.actionId === actionId,
  )
  if (!found) throw new Impossible('This button or field is gone.')
  return found
}

/** The chosen value in the shape that Slack sends. @throws Impossible when this control does not offer it. */
export function held(
  { type, element }: Control,
  value: Chosen,
  suggested: readonly Json[] = [],
): Json {
  const isOption = valueKey(type).startsWith('selected_option')
  const choose = (one: string): unknown => {
    if (!isOption) return one
    const option = [...optionsOf(element), ...suggested].find((offered) => offered.value === one)
    if (!option) throw new Impossible('This menu doesn’t offer that.')
    return option
  }
  if (isList(type)) return heldValue(type, listOf(value).map(choose))
  const [one] = listOf(value)
  return heldValue(type, one === undefined || one === '' ? null : choose(one))
}

function listOf(value: Chosen): readonly string[] {
  if (value === null) return []
  return typeof value === 'string' ? [value] : value
}
