// The gallery's errors that can come wherever the bot is used.

import { keyInput, lookupModal } from '../../../../src/alert/render/look-up-form.ts'
import { alertUndone, monitorSentence } from '../../../../src/alert/render/no-card.ts'
import type { MonitorErrorCode } from '../../../../src/errors.ts'
import { grantUndone } from '../../../../src/grant/render/explain.ts'
import {
  notYetModal,
  tooBusySentence,
  tooFastSentence,
  tooLongInputSentence,
  tooLongSentence,
} from '../../../../src/slack/gate/gate.ts'
import { otherVersion } from '../../../../src/slack/guard/requests.ts'
import { failureSentence, toldRefusals } from '../../../../src/slack/guard/tell-failures.ts'
import { say } from '../../../../src/slack/outbound/message.ts'
import { noTrigger } from '../../../../src/slack/outbound/outbound.ts'
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
  unread('bad-request', 'not a key', 'The service answers 400: it doesn’t accept this as a key.'),
  unread(
    'refused',
    'token refused',
    'The service no longer accepts the token (401), and Bellhop can’t offer Connect account there.',
  ),
  unread('forbidden', 'permission missing', 'The person who asked isn’t allowed to read this alert (403).'),
  unread('not-found', 'no such alert', 'No alert has this key (404).'),
  unread(
    'busy',
    'busy, or a fault',
    'The service asks Bellhop to slow down (429) or has a fault (5xx), even after a retry.',
  ),
  unread('unreachable', 'no answer', 'The service doesn’t answer in time, or can’t be reached.'),
  flow(
    'Not read: an odd answer',
    'The service sends an undocumented answer.',
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
    'Somebody submits a form that they opened before Bellhop was updated.',
    say(otherVersion),
  ),
  ...toldRefusals
    .filter((word) => !alsoUnreadable.has(word))
    .map((word) =>
      asLine(
        forYou(
          `Slack refuses: ${word}`,
          `Slack answers \`${word}\`.`,
          say(failureSentence(alertUndone, { refusal: word }, reference)),
        ),
      ),
    ),
  forYou(
    'Slack refuses during a grant',
    'Slack answers `restricted_action_read_only_channel` during a grant. The person shouldn’t repeat it right away.',
    say(failureSentence(grantUndone, { refusal: 'restricted_action_read_only_channel' }, reference)),
  ),
  forYou(
    'Slack gave no way to open a form',
    'Slack sent a press or shortcut that can’t open a form.',
    say(noTrigger),
  ),
  forYou(
    'Slack didn’t accept Bellhop’s reply, for an alert',
    'Slack refuses the bot’s message, or doesn’t confirm it.',
    say(failureSentence(alertUndone, { refusal: undefined }, reference)),
  ),
  forYou(
    'Slack didn’t accept Bellhop’s reply, for a grant',
    'The same for a message about a grant, which the person shouldn’t repeat right away.',
    say(failureSentence(grantUndone, { refusal: undefined }, reference)),
  ),
  flow(
    'Somebody of another organisation',
    'In a shared channel, somebody from another organisation presses a button.',
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
    'Something fails in Bellhop itself. The reference is in its log, too.',
    say(failureSentence(alertUndone, 'defect', reference)),
  ),
  forYou(
    'A defect, for a grant',
    'Something fails in Bellhop itself during a grant. The person shouldn’t repeat it right away.',
    say(failureSentence(grantUndone, 'defect', reference)),
  ),
  flow(
    'Just starting',
    'Somebody submits a form while Bellhop is starting up.',
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
    'Somebody makes more requests in a minute than `RATE_PER_MINUTE` allows. Bellhop says so now and then, not every time.',
    say(tooFastSentence(alertUndone, 30, twoSeconds)),
  ),
  forYou(
    'Too fast, for a grant',
    'The same with a grant, such as one for more people than the limit leaves room for.',
    say(tooFastSentence(grantUndone, 30, twoSeconds)),
  ),
  flow('Too fast, in a form', 'The form stays open, with everything in it.', async ({ alice, onCall }) => {
    await alice.types('/alert', onCall)
    const form = await alice.seesModal('Look up an alert')
    for (let count = 0; count < 30; count += 1) await alice.types('/alert help', onCall)
    await alice.submits({ fields: { 'Alert key': 'disk-full' } })
    return form
  }),
  modal(
    'Too fast, in a confirmation',
    'Somebody confirms a grant too fast. A confirmation has no field to show the reason at. *Back* leads back to it.',
    notYetModal(tooFastSentence(grantUndone, 30, twoSeconds)),
  ),
  forYou(
    'Busy, for an alert',
    'Bellhop has as much under way as one process can handle, so it starts nothing more.',
    say(tooBusySentence(alertUndone)),
  ),
  forYou('Busy, for a grant', 'The same with a grant.', say(tooBusySentence(grantUndone))),
  forYou(
    'Too long to be read',
    'A command, mention or direct message is too long for anybody to have typed. Bellhop doesn’t read it.',
    say(tooLongSentence(40_000)),
  ),
  modal(
    'Too long to be read, in a form',
    'A field holds more than Slack lets anybody type.',
    lookupModal(true),
    { errors: { [keyInput]: tooLongInputSentence(39_000) }, typed: { [keyInput]: 'disk-full '.repeat(20) } },
  ),
]
