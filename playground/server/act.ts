// Does in the stand-in workspace what a person does on the page.
import type { Act } from '../page/state/acts.ts'
import { type Json, record, text } from '../slack/model/json.ts'
import { type Control, optionsOf, pressedAction } from '../slack/model/view-state.ts'
import { clientErrors } from '../slack/person/fill.ts'
import type { Workspace } from '../slack/workspace/workspace.ts'
import {
  channelInSight,
  controlIn,
  held,
  messageInSight,
  placeInSight,
  viewInSight,
} from './in-sight.ts'
import { Impossible } from './playing/act-schema.ts'
import type { Player } from './playing/player.ts'
import { say } from './say.ts'
import type { Scene } from './scene.ts'

type Doing<Kind extends Act['do']> = Extract<Act, { readonly do: Kind }>

/**
 * Does it; resolves when the bot has acked what it was sent.
 *
 * @returns A sentence for people on what came of it, where that is not seen.
 * @throws Impossible in the words of a person: the message is gone, the menu does not offer that.
 */
export async function act(doing: Act, player: Player, scene: Scene): Promise<string | undefined> {
  if (doing.do === 'event') return moveOn(doing, scene)
  if (doing.do === 'new-alerts') return openNew(doing, scene)
  if (doing.do === 'reset') return reset(player, scene)
  if (doing.do === 'trouble') return switchTrouble(doing, player, scene)
  await perform(doing, player, scene)
  return undefined
}

async function moveOn(
  { ks, what }: Doing<'event'>,
  { seed, slack, happenings }: Scene,
): Promise<string> {
  const moved = seed.happens(ks, what)
  if (!moved) throw new Impossible('That can’t happen to this alert now.')
  const { happened } = moved
  await happenings.during(`At the service, ${ks} ${happened}`, async () => {})
  const seen = isLive(ks, slack.workspace)
    ? 'Its live card updates itself'
    : 'Press Refresh on its card to see it'
  return `${ks} ${happened}. ${seen}.`
}

async function openNew(
  { count, rings = false }: Doing<'new-alerts'>,
  { seed, slack, service, happenings }: Scene,
): Promise<string> {
  const webhook = rings ? webhookIn(slack.workspace) : undefined
  if (rings && webhook === undefined) return noWebhook
  const keys = seed.opens(count)
  if (keys.length === 0) return 'Nothing opens in container 12: a mode keeps alerts away there.'
  const opens = `${keys.length === 1 ? `${keys[0]} opens` : `${keys.length} new alerts open`} in container 12`
  const opened = webhook === undefined ? opens : `${opens}, and a webhook calls Bellhop`
  await happenings.during(`At the service, ${opened}`, async () => {
    if (webhook === undefined) return
    const bodies = keys.map((ks) => service.bodyFor(ks, webhook.body))
    await Promise.all(bodies.map((body) => fetch(webhook.address, { method: 'POST', body })))
  })
  return `${opened}. A channel that follows it gets ${keys.length === 1 ? 'its card' : 'one message'} within seconds.`
}

const noWebhook =
  'No webhook calls Bellhop yet. Start with npm run playground -- --public, have a channel follow container 12, and press Get alerts at once.'

/** What *Get alerts at once* showed last, to be pasted into the service. */
function webhookIn({ messages }: Workspace) {
  const shown = messages.findLast(({ byBot, text }) => byBot && pasted.test(text))
  const { address = '', body = '' } = pasted.exec(shown?.text ?? '')?.groups ?? {}
  return shown && { address, body }
}

const pasted = /(?<address>http:\S+\/ring\/\S+)\n\n(?<body>\{.*\})/

/** Some card of it is live: it names its key, and can be stopped. */
function isLive(ks: string, { messages }: Workspace): boolean {
  return messages.some(({ byBot, isDeleted, blocks }) => {
    const written = JSON.stringify(blocks)
    const canBeStopped = /"action_id":"watch\.stop"|"value":"stop /.test(written)
    return byBot && !isDeleted && canBeStopped && written.includes(JSON.stringify(ks).slice(1, -1))
  })
}

async function reset(player: Player, { seed, happenings }: Scene): Promise<string> {
  await happenings.during(`${player.person.name} reset the stand-in service`, async () =>
    seed.reset(),
  )
  return 'The stand-in service is back as it was at the start.'
}

function switchTrouble({ id, isOn, channelId }: Doing<'trouble'>, player: Player, scene: Scene) {
  const channel = channelId === undefined ? undefined : channelInSight(channelId, player, scene)
  return scene.troubles.set(id, isOn, player, channel)
}

async function perform(
  doing: Exclude<Act, { do: 'event' | 'new-alerts' | 'reset' | 'trouble' }>,
  player: Player,
  scene: Scene,
): Promise<void> {
  switch (doing.do) {
    case 'say':
      return say(doing, channelInSight(doing.channelId, player, scene), player, scene)
    case 'press':
      return press(doing, player, scene)
    case 'fill':
      return fill(doing, player, scene)
    case 'suggest':
      return suggest(doing, player, scene)
    case 'submit':
      return submit(doing, player, scene)
    case 'close': {
      const modal = viewInSight(doing.viewId, player)
      return scene.happenings.during(`${player.person.name} closed “${modal.title}”`, () =>
        player.person.closes(),
      )
    }
    case 'shortcut':
      return useShortcut(doing, player, scene)
    case 'open-home':
      if (!scene.manifest.hasHomeTab) return
      return scene.happenings.whenHeard(`${player.person.name} opened the Home tab`, () =>
        player.person.opensHome(),
      )
    default:
      return doing satisfies never
  }
}

async function press(doing: Doing<'press'>, player: Player, scene: Scene): Promise<void> {
  const at = placeInSight(doing.at, player, scene)
  const control = controlIn(at.blocks, doing)
  const option = optionsOf(control.element).find(({ value }) => value === doing.optionValue)
  await scene.happenings.during(`${player.person.name} pressed “${labelOf(control, option)}”`, () =>
    player.person.acts(at, pressedAction(control, option)),
  )
}

async function fill(doing: Doing<'fill'>, player: Player, scene: Scene): Promise<void> {
  const modal = viewInSight(doing.viewId, player)
  const control = controlIn(modal.blocks, doing)
  const { blockId, actionId } = control
  const value = held(control, doing.value, modal.view.suggested.get(control.key)?.options)
  scene.slack.workspace.views.type(modal.view, blockId, actionId, value)
  if (control.block.dispatch_action !== true) return
  await scene.happenings.during(`${player.person.name} filled in “${control.label}”`, () =>
    player.person.acts(modal, { ...value, block_id: blockId, action_id: actionId }),
  )
}

async function suggest(doing: Doing<'suggest'>, player: Player, scene: Scene): Promise<void> {
  const modal = viewInSight(doing.viewId, player)
  const control = controlIn(modal.blocks, doing)
  await scene.happenings.during(`${player.person.name} typed in “${control.label}”`, () =>
    player.person.typesInto(modal, control, doing.typed),
  )
}

/** Values that Slack's client refuses are not sent: their errors stand in the view. */
async function submit(doing: Doing<'submit'>, player: Player, scene: Scene): Promise<void> {
  const modal = viewInSight(doing.viewId, player)
  const errors = clientErrors(modal)
  scene.slack.workspace.views.complain(modal.view, errors)
  if (errors.size > 0) return
  await scene.happenings.during(
    `${player.person.name} pressed “${modal.submitLabel}” in “${modal.title}”`,
    () => player.person.submits(),
  )
}

async function useShortcut(doing: Doing<'shortcut'>, player: Player, scene: Scene): Promise<void> {
  const shortcut = scene.manifest.shortcuts.find(
    ({ callbackId }) => callbackId === doing.callbackId,
  )
  if (!shortcut) throw new Impossible('The manifest has no such shortcut.')
  const message = doing.message && messageInSight(doing.message, player, scene)
  const on = message ? ` on a message of ${message.author}` : ''
  const what = `${player.person.name} used the shortcut “${shortcut.name}”${on}`
  await scene.happenings.during(what, () => player.person.usesShortcut(doing.callbackId, message))
}

/** What stands on a control, or on the option chosen in it. */
function labelOf({ element, label }: Control, option?: Json): string {
  const words = record(option?.text ?? element.text ?? element.placeholder)
  return text(words.text) ?? label ?? 'a menu'
}
