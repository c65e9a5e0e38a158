// The gallery's entries of the channels that admins choose for their workspace.
import {
  badMention,
  mentionInput,
  refusedModal,
  renderByOperator,
  renderChosen,
  savedModal,
  settingsModal,
  waitingModal,
  whyNoSettings,
} from '../../../../src/install/render.ts'
import { notInstalledSentence, renderNotInstalled } from '../../../../src/slack/gate/gate.ts'
import { failedForm } from '../../../../src/slack/guard/answer-form.ts'
import { say } from '../../../../src/slack/outbound/message.ts'
import { asLine, type Entry, forAll, forYou, modal } from '../stage/entry.ts'
import { accessId, colleagueId, onCallId } from '../stage/sample.ts'

const both = { audit: onCallId, approval: accessId }
const none = { audit: undefined, approval: undefined }

export const settings: readonly Entry[] = [
  modal(
    'Settings',
    'An admin types `/alert settings`, and several workspaces use Bellhop.',
    settingsModal(both, [colleagueId]),
  ),
  modal(
    'Settings that are saved',
    'The admin presses *Save*. Bellhop is in only one of the channels.',
    savedModal(both, [colleagueId], [{ channelId: accessId, isInviteNeeded: true }]),
  ),
  modal('Settings with a wrong mention', 'The text under *Mention* isn’t an ID.', settingsModal(both, []), {
    typed: { [mentionInput]: '@alice' },
    errors: { [mentionInput]: badMention },
  }),
  modal(
    'Settings without channels',
    'The admin ticked both channels under *Stop posting to*.',
    savedModal(none, [], []),
  ),
  modal(
    'Settings with a channel that refuses Bellhop',
    'The admin chose a channel that Bellhop can’t post in.',
    savedModal({ ...none, audit: onCallId }, [], [{ channelId: onCallId, isInviteNeeded: false }]),
  ),
  asLine(modal('Settings on their way', 'Bellhop asks Slack who the person is.', waitingModal('Loading…'))),
  asLine(
    modal(
      'Settings being saved',
      'The admin presses *Save*, and Bellhop posts in the chosen channels.',
      waitingModal('Saving…'),
    ),
  ),
  asLine(
    modal(
      'Settings that could not be saved',
      'The database can’t save them. A direct message has the reference for whoever runs Bellhop.',
      failedForm(waitingModal('Saving…')),
    ),
  ),
  asLine(
    modal(
      'Settings are for admins',
      'Somebody who isn’t an admin types `/alert settings`.',
      refusedModal(whyNoSettings.notAnAdmin),
    ),
  ),
  asLine(
    modal(
      'Settings of nobody',
      'Bellhop was uninstalled while the form was open.',
      refusedModal(whyNoSettings.gone),
    ),
  ),
  asLine(
    forAll(
      'An audit channel',
      'In the new audit channel, after an admin chose it.',
      renderChosen('audit', 'alice'),
    ),
  ),
  asLine(
    forAll(
      'An approval channel',
      'In the new approval channel, after an admin chose it.',
      renderChosen('approval', 'alice'),
    ),
  ),
]

export const operatorsSettings: readonly Entry[] = [
  forYou(
    'Settings that the operator makes',
    'Somebody types `/alert settings`, and only one workspace uses Bellhop.',
    renderByOperator({ audit: onCallId, approval: undefined }),
  ),
  asLine(
    forYou(
      'A workspace where Bellhop is not set up',
      'Somebody types a command after Slack’s own button installed Bellhop, or after it was uninstalled.',
      renderNotInstalled('https://bellhop.example.com/slack/install'),
    ),
  ),
  asLine(
    forYou(
      'A form where Bellhop is not set up',
      'Bellhop was uninstalled while the form was open. The form shows this.',
      say(notInstalledSentence('https://bellhop.example.com/slack/install')),
    ),
  ),
  asLine(
    forYou(
      'Another workspace',
      'Bellhop works for one workspace, and somebody in another types a command.',
      renderNotInstalled(undefined),
    ),
  ),
  asLine(
    forYou('Settings by a mention', 'An admin writes `@Bellhop alert settings`.', say(whyNoSettings.noForm)),
  ),
]
