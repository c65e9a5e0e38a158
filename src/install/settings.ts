// `/alert settings`: the channels of a workspace and whom requests for approval mention, which its admins choose.
import { randomUUID } from 'node:crypto'
import type { Audit } from '../audit/audit.ts'
import { UserError } from '../errors.ts'
import { classify } from '../slack/client/refusals.ts'
import type { AnswerForm } from '../slack/guard/answer-form.ts'
import type { CommandRequest } from '../slack/guard/requests.ts'
import type { Person, PerWorkspace, SlackUser } from '../slack/ids.ts'
import { type Message, say, sayMarked, type View } from '../slack/outbound/message.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { MentionIds } from '../slack/text/mrkdwn.ts'
import type { Channels, ChosenChannels } from '../slack/workspace/channels.ts'
import type { People } from '../slack/workspace/people.ts'
import type { InstalledBots } from './bots.ts'
import {
  refusedModal,
  renderByOperator,
  renderChosen,
  savedModal,
  settingsModal,
  type Unreachable,
  unreachableLines,
  waitingModal,
  whyNoSettings,
} from './render.ts'

/** Needs of settings. */
export interface SettingsRoom {
  readonly channels: ChosenChannels
  readonly bots: Pick<InstalledBots, 'find' | 'findAnew' | 'choose'>
  readonly people: PerWorkspace<Pick<People, 'isAdmin'>>
  readonly outbound: PerWorkspace<Pick<Outbound, 'openView' | 'updateView' | 'post'>>
  readonly answerForm: AnswerForm
  readonly audit: Pick<Audit, 'record'>
}

/** What somebody chose in the form. A channel that is neither chosen nor taken away stays as it is. */
export interface Choice extends Channels {
  /** Names of channels. */
  readonly taken: readonly string[]
  /** Undefined leaves them as they are. */
  readonly mention: MentionIds | undefined
}

/** The form’s answer to a choice. */
export interface ChoiceAnswer {
  readonly view: View
  /** For whoever has closed the form; undefined when it was saved and all is well, which they take for granted. */
  readonly problem?: Message
}

/** Whether they may change the settings here: an admin, or whoever installed the bot. */
export async function mayChangeSettings(
  { channels, bots, people }: Pick<SettingsRoom, 'channels' | 'bots' | 'people'>,
  { workspaceId, userId }: SlackUser,
): Promise<boolean> {
  // Where the operator has set it up, nobody in Slack has installed it.
  const bot = channels.by === 'operator' ? undefined : await bots.find(workspaceId)
  return bot?.installerId === userId || people.in(workspaceId).isAdmin(userId)
}

/** Opens the form for who may change them; says who has set them, where nobody in Slack can. */
export async function openSettings(
  room: SettingsRoom,
  { asker, answer, triggerId }: CommandRequest,
): Promise<void> {
  const { channels, outbound } = room
  const { workspaceId } = asker
  if (channels.by === 'operator') return answer(renderByOperator(await channels.of(workspaceId)))
  if (triggerId === undefined) throw new UserError(whyNoSettings.noForm)
  const { openView, updateView } = outbound.in(workspaceId)
  // First, as it is good for three seconds.
  const viewId = await openView(triggerId, waitingModal('Loading…'))
  await updateView(viewId, await formFor(room, asker))
}

async function formFor(room: SettingsRoom, asker: Person): Promise<View> {
  if (!(await mayChangeSettings(room, asker))) return refusedModal(whyNoSettings.notAnAdmin)
  // As they are now: whatever the form shows is written back.
  const bot = await room.bots.findAnew(asker.workspaceId)
  return bot === undefined ? refusedModal(whyNoSettings.gone) : settingsModal(bot.channels, bot.mention)
}

/** Keeps a choice, and tells those channels that were not chosen before. */
export async function saveSettings(room: SettingsRoom, asker: Person, choice: Choice): Promise<ChoiceAnswer> {
  const { bots, audit } = room
  const { workspaceId, userId } = asker
  if (!(await mayChangeSettings(room, asker))) return refused(whyNoSettings.notAnAdmin)
  // As they are now: another process may just have saved what is written back here.
  const bot = await bots.findAnew(workspaceId)
  if (bot === undefined) return refused(whyNoSettings.gone)
  const { channels: before } = bot
  const next = (what: keyof Channels) =>
    choice.taken.includes(what) ? undefined : (choice[what] ?? before[what])
  const chosen: Channels = { audit: next('audit'), approval: next('approval') }
  const mention = choice.mention ?? bot.mention
  if (!(await bots.choose(workspaceId, chosen, mention))) return refused(whyNoSettings.gone)
  const { audit: auditId = 'none', approval: approvalId = 'none' } = chosen
  await audit.record({
    workspaceId,
    userId,
    key: `settings:${randomUUID()}`,
    act: 'settings',
    outcome: 'done',
    reference: `audit ${auditId}, approval ${approvalId}, mention ${mention.join(' ') || 'none'}`,
  })
  const unreachable: Unreachable[] = []
  for (const what of ['audit', 'approval'] as const) {
    const channelId = chosen[what]
    if (channelId === undefined || channelId === before[what]) continue
    const problem = await announce(room, what, channelId, asker)
    if (problem !== undefined) unreachable.push(problem)
  }
  const view = savedModal(chosen, mention, unreachable)
  const problems = unreachableLines(unreachable)
  return problems.length === 0 ? { view } : { view, problem: sayMarked(problems.join('\n')) }
}

/** Tells a channel what it is from now on. Undefined when that could be posted. */
async function announce(
  { outbound }: SettingsRoom,
  what: keyof Channels,
  channelId: string,
  { workspaceId, name }: Person,
): Promise<Unreachable | undefined> {
  try {
    await outbound.in(workspaceId).post(channelId, renderChosen(what, name))
    return undefined
  } catch (error) {
    const { kind, isInviteNeeded } = classify(error)
    if (kind === 'defect') throw error
    return { channelId, isInviteNeeded }
  }
}

/** @param problem - Raw. */
function refused(problem: string): ChoiceAnswer {
  return { view: refusedModal(problem), problem: say(problem) }
}
