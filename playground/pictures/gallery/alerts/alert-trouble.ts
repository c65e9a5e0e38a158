// The gallery's cards that cannot do what was pressed. Each happens to the real bot.
import type { Person } from '../../../slack/person/person.ts'
import type { SeenMessage } from '../../../slack/person/seen.ts'
import { type Entry, flow } from '../stage/entry.ts'
import { diskFull, longStory } from '../stage/sample.ts'
import type { Stage } from '../stage/stage.ts'

const day = 24 * 60 * 60_000

async function asks(stage: Stage, words = ''): Promise<SeenMessage> {
  const { service, alice, onCall } = stage
  service.addAlert({ ...diskFull, actions: longStory })
  await alice.types(`/alert disk-full ${words}`, onCall)
  return alice.sees('CRITICAL', onCall)
}

/** Cards are forgotten after three months. */
async function forgets({ clock, restart, slack }: Stage): Promise<void> {
  await slack.idle()
  clock.advance(91 * day)
  await restart()
}

function answer(person: Person, words: string, { onCall }: Stage): Promise<SeenMessage> {
  return person.sees(words, onCall)
}

export const cardTrouble: readonly Entry[] = [
  flow(
    'The history could not be posted',
    'Slack accepts the card, but not the reply in its thread.',
    (stage) => {
      const { slack, alice, onCall } = stage
      const stop = slack.onChange(() => {
        if (slack.messagesIn(onCall).length === 0) return
        stop()
        slack.trouble.fail('chat.postMessage', { error: 'restricted_action' })
      })
      return asks(stage).then(() => answer(alice, 'couldn’t be posted', stage))
    },
  ),
  flow(
    'The alert is not there any more',
    'Somebody presses Refresh, and the service no longer has the alert.',
    async (stage) => {
      const card = await asks(stage)
      await stage.slack.idle()
      stage.service.trouble.answer(404)
      await stage.alice.presses('Refresh', card)
      return answer(stage.alice, 'Monitoring no longer has', stage)
    },
  ),
  flow(
    'Too old to grant for',
    'Somebody chooses Grant access on a card that is months old.',
    async (stage) => {
      const card = await asks(stage)
      await forgets(stage)
      await stage.alice.presses('Grant access', card)
      return answer(stage.alice, 'too old', stage)
    },
  ),
  flow('Too old to be refreshed', 'Somebody presses Refresh on a card that is months old.', async (stage) => {
    const card = await asks(stage)
    await forgets(stage)
    await stage.alice.presses('Refresh', card)
    return answer(stage.alice, 'too old', stage)
  }),
  flow(
    'Too old to show its history',
    'Somebody presses Show earlier on a card that is months old.',
    async (stage) => {
      const card = await asks(stage)
      const reply = await stage.alice.sees('History', card)
      await forgets(stage)
      await stage.alice.presses('Show earlier', reply)
      return stage.alice.sees('too old', card)
    },
  ),
  flow(
    'Too old to be shared',
    'Somebody presses Share in channel on a private card that is months old.',
    async (stage) => {
      const card = await asks(stage, 'private')
      await forgets(stage)
      await stage.alice.presses('Share in channel', card)
      return answer(stage.alice, 'too old', stage)
    },
  ),
  flow(
    'Shared already',
    'Somebody presses Share in channel a second time, on a card or a receipt.',
    async (stage) => {
      const card = await asks(stage, 'private')
      for (let times = 0; times < 2; times += 1) {
        await stage.alice.presses('Share in channel', card)
        await stage.slack.idle()
      }
      return answer(stage.alice, 'already shared in the channel', stage)
    },
  ),
  flow(
    'Not to be shared there',
    'Somebody presses Share in channel, but the bot can’t post in that channel.',
    async (stage) => {
      const card = await asks(stage, 'private')
      await stage.slack.idle()
      stage.slack.trouble.fail('chat.postMessage', { error: 'not_in_channel' })
      stage.slack.trouble.fail('response_url', { error: 'not_in_channel' })
      await stage.alice.presses('Share in channel', card)
      return answer(stage.alice, 'Invite it there', stage)
    },
  ),
]
