// *Change* on the Home tab: somebody corrects who they are in monitoring. Its people are read with their own token, and
// shown to them alone.
import { onlyReads } from '../../alert/command.ts'
import { monitorSentence } from '../../alert/render/no-card.ts'
import { MonitorError, UserError } from '../../errors.ts'
import { lastUsed } from '../../names/containers.ts'
import { correctOwnId, whomToChoose } from '../../names/own-id.ts'
import type { ActionRequest, Submission } from '../../slack/guard/requests.ts'
import type { SlackUser } from '../../slack/ids.ts'
import type { View } from '../../slack/outbound/message.ts'
import type { ActRoom } from '../room.ts'
import { containerIn, personIn } from './assign.ts'
import { type AssignAsking, assignModal, assignNoteModal, loadingAssignModal } from './modal.ts'
import { assignProblems } from './prompts.ts'
import { changeState } from './wanted.ts'

/** @throws UserError where nothing can be chosen. */
export async function openChangeForm(room: ActRoom, { asker, triggerId }: ActionRequest): Promise<void> {
  // A Home tab may be older than that setting.
  if (!room.alert.settings.canAct) throw new UserError(onlyReads)
  const { openView, updateView } = room.alert.outbound.in(asker.workspaceId)
  const [containerId, ...others] = await lastUsed(room.names, asker)
  // Of several, it may be another one that they are in.
  if (containerId === undefined || others.length > 0) {
    return void (await openView(triggerId, await formOf(room, { kind: 'ask-container' })))
  }
  const viewId = await openView(triggerId, loadingAssignModal('nobody'))
  await updateView(viewId, await viewFor(room, asker, containerId))
}

/**
 * Answers that form.
 * @returns Whether it has changed who they are.
 */
export async function answerChangeForm(room: ActRoom, submission: Submission): Promise<boolean> {
  const { asker, filled, ack } = submission
  const person = personIn(filled)
  if (person === undefined) {
    const { containerId } = containerIn(filled)
    await room.alert.answerForm(submission, loadingAssignModal('nobody'), async () => ({
      view: await viewFor(room, asker, containerId),
    }))
    return false
  }
  const { input, userId } = person
  const problem =
    userId === undefined
      ? assignProblems.noNumber
      : (await correctOwnId(room.names, asker, userId)) === 'taken' && assignProblems.taken
  if (typeof problem === 'string') {
    await ack({ response_action: 'errors', errors: { [input]: problem } })
    return false
  }
  await ack()
  return true
}

async function viewFor(
  room: ActRoom,
  { workspaceId, userId }: SlackUser,
  containerId: number,
): Promise<View> {
  const asker = { workspaceId, userId }
  const say = (sentence: string) => assignNoteModal('nobody', sentence)
  const token = await room.account.tokens.find(asker)
  if (token === undefined) return say(assignProblems.notConnected)
  try {
    const who = await whomToChoose(room.names, asker, token, containerId)
    switch (who.kind) {
      case 'choose':
        return formOf(room, { kind: 'ask-person', containerId, people: who.people })
      case 'unknown':
        return formOf(room, { kind: 'ask-number', containerId, why: 'unknown' })
      case 'container-token':
        return say(assignProblems.nobody)
      case 'unanswered':
        return say(monitorSentence(who.error.code))
      default:
        return who satisfies never
    }
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    return say(monitorSentence(error.code))
  }
}

async function formOf({ suggesting }: ActRoom, asking: AssignAsking): Promise<View> {
  const containerId = asking.kind === 'ask-container' ? undefined : asking.containerId
  const mode = (await suggesting?.mode()) ?? ({ kind: 'typed', canSwitch: false } as const)
  const form = { purpose: 'nobody', headline: undefined, message: '', mode } as const
  return assignModal({ ...form, state: changeState(containerId) }, asking)
}
