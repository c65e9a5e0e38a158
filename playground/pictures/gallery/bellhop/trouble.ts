// The gallery's errors that can come wherever the bot is used.
import { keyInput, lookupModal } from '../../../../src/alert/modal.ts'
import { alertUndone, monitorSentence } from '../../../../src/alert/render/failures.ts'
import type { MonitorErrorCode } from '../../../../src/errors.ts'
import { grantUndone } from '../../../../src/grant/render/undone.ts'
import { toldRefusals } from '../../../../src/slack/client/refusal-sentences.ts'
import {
  notYetModal,
  tooBusySentence,
  tooFastSentence,
  tooLongInputSentence,
  tooLongSentence,
} from '../../../../src/slack/gate/not-begun.ts'
import { otherVersion } from '../../../../src/slack/guard/submitted-form.ts'
import { failureSentence } from '../../../../src/slack/guard/tell-failures.ts'
import { say } from '../../../../src/slack/outbound/message.ts'
import { noTrigger } from '../../../../src/slack/outbound/views.ts'
import { asLine, type Entry, flow, forYou, modal } from '../stage/entry.ts'
import { diskFull } from '../stage/sample.ts'

const reference = '5f0c2a9e'

/** Told like `invalid_arguments`. */
const alsoUnreadable = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'view_too_large',
])

/** Asks for an alert, and the service answers like this. */
function unread(code: MonitorErrorCode, why: string, when: string): Entry {
  return forYou(`Not read: ${why}`, when, say(monitorSentence(code)))
}

export const fromTheService: readonly Entry[] = [
  unread('bad-request', 'not a key', 'The service answers 400: it does not take this for a key.'),
  unread(
    'refused',
    'token refused',
    'The service no longer accepts the token (401), and Bellhop can’t ask for another one in place.',
  ),
  unread('forbidden', 'no right to', 'The asker may not read this alert (403).'),
  unread('not-found', 'no such alert', 'There is no alert with this key (404).'),
  unread(
    'busy',
    'busy, or a fault',
    'The service asks to slow down (429) or has a fault (5xx), also after being asked again.',
  ),
  unread('unreachable', 'no answer', 'The service does not answer in time, or can’t be reached.'),
  flow(
    'Not read: an odd answer',
    'The service answers something that is not documented.',
    async ({ service, alice, onCall }) => {
      service.trouble.malformed('wrong-type')
      await alice.types('/alert disk-full', onCall)
      return alice.sees('doesn’t understand', onCall)
    },
  ),
]

export const fromSlack: readonly Entry[] = [
  forYou(
    'A form of another version',
    'A form was opened before Bellhop was updated, and is sent after it.',
    say(otherVersion),
  ),
  ...toldRefusals
    .filter((word) => !alsoUnreadable.has(word))
    .map((word) =>
      asLine(
        forYou(
          `Slack refuses: ${word}`,
          `Slack’s word is \`${word}\`.`,
          say(failureSentence(alertUndone, { refusal: word }, reference)),
        ),
      ),
    ),
  forYou(
    'Slack refuses during a grant',
    'The same during a grant, which must not be asked again at once.',
    say(failureSentence(grantUndone, { refusal: 'restricted_action_read_only_channel' }, reference)),
  ),
  forYou(
    'Slack gave no way to open a form',
    'A press or shortcut came without what opens a form.',
    say(noTrigger),
  ),
  forYou(
    'Slack didn’t accept Bellhop’s reply, for an alert',
    'Slack refuses or does not confirm what the bot posts.',
    say(failureSentence(alertUndone, { refusal: undefined }, reference)),
  ),
  forYou(
    'Slack didn’t accept Bellhop’s reply, for a grant',
    'Slack refuses or does not confirm what the bot posts about a grant, which must not be asked again at once.',
    say(failureSentence(grantUndone, { refusal: undefined }, reference)),
  ),
  flow(
    'Somebody of another organisation',
    'In a channel shared with another organisation, one of theirs presses a button.',
    async ({ slack, service, alice }) => {
      const eve = slack.addPerson({ name: 'eve', teamId: 'T0OTHER01' })
      const shared = slack.addChannel({
        name: 'shared',
        members: [alice, eve],
        botIsMember: true,
        isShared: true,
      })
      service.addAlert({ ...diskFull, actions: [] })
      await alice.types('/alert disk-full', shared)
      await eve.presses('Refresh', await eve.sees('CRITICAL', shared))
      return eve.sees('another organisation', shared)
    },
  ),
]

export const fromBellhop: readonly Entry[] = [
  forYou(
    'A defect, for an alert',
    'Something fails in Bellhop itself; the reference is in its log.',
    say(failureSentence(alertUndone, 'defect', reference)),
  ),
  forYou(
    'A defect, for a grant',
    'Something fails in Bellhop itself during a grant, which must not be asked again at once.',
    say(failureSentence(grantUndone, 'defect', reference)),
  ),
  flow(
    'Just starting',
    'A form is submitted in the moment in which Bellhop starts.',
    async ({ slack, alice, onCall, restart }) => {
      await alice.types('/alert', onCall)
      const form = await alice.seesModal('Look up an alert')
      slack.trouble.slow('auth.test', 1000, { times: 1 })
      await restart()
      await alice.submits({ fields: { 'Alert key': 'disk-full' } })
      if (form.view.errors.get(keyInput) === undefined) throw new Error('The bot was faster than that.')
      return form
    },
  ),
]

const twoSeconds = { seconds: 2 }

export const heldBack: readonly Entry[] = [
  forYou(
    'Too fast, for an alert',
    'Somebody asks for more in a minute than `RATE_PER_MINUTE`; they are told once in a while.',
    say(tooFastSentence(alertUndone, 30, twoSeconds)),
  ),
  forYou(
    'Too fast, for a grant',
    'The same with a grant, or a wish for more people than a minute has room for.',
    say(tooFastSentence(grantUndone, 30, twoSeconds)),
  ),
  flow('Too fast, in a form', 'The form stays, with all that is typed in it.', async ({ alice, onCall }) => {
    await alice.types('/alert', onCall)
    const form = await alice.seesModal('Look up an alert')
    for (let count = 0; count < 30; count += 1) await alice.types('/alert help', onCall)
    await alice.submits({ fields: { 'Alert key': 'disk-full' } })
    return form
  }),
  modal(
    'Too fast, in a confirmation',
    'No input of the form could show the reason. Below this line, the form is as it was.',
    notYetModal(tooFastSentence(grantUndone, 30, twoSeconds)),
  ),
  forYou(
    'Busy, for an alert',
    'As much is under way as one process takes: nothing more is begun.',
    say(tooBusySentence(alertUndone)),
  ),
  forYou('Busy, for a grant', 'The same with a grant.', say(tooBusySentence(grantUndone))),
  forYou(
    'Too long to be read',
    'A command, a mention or a direct message that nobody can have typed: none of it is read.',
    say(tooLongSentence(40_000)),
  ),
  modal(
    'Too long to be read, in a form',
    'A field has more in it than Slack lets anybody type.',
    lookupModal(true),
    { errors: { [keyInput]: tooLongInputSentence(39_000) }, typed: { [keyInput]: 'disk-full '.repeat(20) } },
  ),
]
