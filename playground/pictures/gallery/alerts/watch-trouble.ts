// The gallery's watches that cannot be had, or not be stopped. Each happens to the real bot.
import type { Person } from '../../../slack/person/person.ts'
import type { SeenMessage } from '../../../slack/person/seen.ts'
import { type Entry, flow } from '../stage/entry.ts'
import { closed, diskFull } from '../stage/sample.ts'
import { bobToken, modalSaying, type Stage } from '../stage/stage.ts'

const most = 20

async function asks({ service, onCall }: Stage, person: Person, words = ''): Promise<SeenMessage> {
  service.addAlert(diskFull)
  await person.types(`/alert disk-full ${words}`, onCall)
  return person.sees(words === 'watch' ? '● Live' : 'CRITICAL', onCall)
}

async function connectsBob(stage: Stage): Promise<void> {
  const { bob, onCall } = stage
  await bob.types('/alert connect', onCall)
  await bob.seesModal('Connect account')
  await bob.submits({ fields: { 'API token': bobToken } })
  await modalSaying('Connected.', bob, stage)
  await bob.closes()
}

function liveCards({ alice, onCall }: Stage): number {
  return alice.messages(onCall).filter(({ plain }) => plain.includes('● Live')).length
}

export const watchTrouble: readonly Entry[] = [
  flow('Closed already', 'Somebody wants to watch an alert that is closed.', async (stage) => {
    const { service, alice, onCall } = stage
    service.addAlert(closed)
    await alice.types('/alert disk-full watch', onCall)
    return alice.sees('nothing left to watch', onCall)
  }),
  flow('Too many watches', 'Somebody already watches as many alerts as allowed.', async (stage) => {
    const { service, slack, alice, onCall } = stage
    for (let number = 0; number <= most; number += 1) {
      service.addAlert({ ...diskFull, ks: `disk-${number}` })
      await alice.types(`/alert disk-${number} watch`, onCall)
      if (number === most) break
      const isLive = () => (liveCards(stage) > number ? true : undefined)
      await slack.workspace.changes.until(isLive, 5000, () => `disk-${number} is not live`)
    }
    return alice.sees('the most one person can', onCall)
  }),
  flow(
    'Workspace full',
    'The workspace already has 1,000 live cards, and somebody wants another.',
    async (stage) => {
      const { service, slack, alice, onCall } = stage
      await asks(stage, alice, 'watch')
      await slack.idle()
      stage.fillWithLiveCards(1_000)
      service.addAlert({ ...diskFull, ks: 'one-more' })
      await alice.types('/alert one-more watch', onCall)
      return alice.sees('the most Slack lets Bellhop keep', onCall)
    },
  ),
  flow('Too old to be watched', 'Somebody presses Watch on a card that is months old.', async (stage) => {
    const card = await asks(stage, stage.alice)
    await stage.slack.idle()
    stage.clock.advance(91 * 24 * 60 * 60_000)
    await stage.restart()
    await stage.alice.presses('Watch', card)
    return stage.alice.sees('too old', stage.onCall)
  }),
  flow(
    'Somebody else’s watch',
    'Somebody presses Stop watching, but neither watches the alert nor asked for the card.',
    async (stage) => {
      const { slack, alice, bob, onCall } = stage
      await connectsBob(stage)
      const card = await asks(stage, bob)
      await alice.presses('Watch', card)
      await alice.sees('● Live', onCall)
      const carol = slack.addPerson({ name: 'carol' })
      await carol.presses('Stop watching', card)
      return carol.sees('You aren’t watching', onCall)
    },
  ),
  flow(
    'Nobody is watching any more',
    'Somebody presses Stop watching on a card that still looks live, but that nobody watches any more.',
    async (stage) => {
      const { slack, alice, onCall } = stage
      const card = await asks(stage, alice, 'watch')
      await slack.idle()
      slack.trouble.fail('chat.update', { error: 'fatal_error' })
      await alice.presses('Stop watching', card)
      await slack.idle()
      await alice.presses('Stop watching', card)
      return alice.sees('Nobody is watching', onCall)
    },
  ),
]
