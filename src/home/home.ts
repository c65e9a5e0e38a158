// Publishes somebody's Home tab, always from fresh data. The service is asked only which alerts are open.
import { openLookUpForm } from '../alert/look-up.ts'
import { openNow } from '../alert/open.ts'
import { webLink } from '../alert/render/card.ts'
import { editEndOrAsk } from '../approval/ask.ts'
import { dueFor, handBack } from '../ends/buttons.ts'
import { stopFollowing } from '../follow/following.ts'
import type { House } from '../house.ts'
import { ownWatches, stopListed, stopWatching } from '../live/watching.ts'
import { linkShown } from '../names/own-id.ts'
import { SlackError, unlessSlackFails } from '../slack/client.ts'
import type { ActionRequest } from '../slack/guard/requests.ts'
import { personKey, type SlackUser } from '../slack/person.ts'
import type { EventRequest } from '../slack/routes.ts'
import { alertBlocks, listBlocks, openBlocks, renderHome, requestBlocks } from './render.ts'
import { requestsOf, requestsWaitingFor } from './requests.ts'

/** How many recent alerts are listed, and how many requests that are concluded. */
const mostDone = 5
/** How many look-ups are searched for recent alerts: somebody may have looked up one of them again and again. */
const mostLookUps = 50

/**
 * Draws a tab; logs what Slack refuses. Draws take turns, so that what was read earlier never replaces what was read later.
 */
export function publishHome(house: House, owner: SlackUser): Promise<void> {
  const { config, slack, storage, log } = house
  const { workspaceId, userId } = owner
  return house.turns(`home ${personKey(owner)}`, async () => {
    const [since, link, open, waiting, requests, due, live, follows, alerts] = await Promise.all([
      house.tokens.since(owner),
      linkShown(house, owner),
      openNow(house, owner),
      requestsWaitingFor(house, owner),
      requestsOf(house, owner, mostDone),
      dueFor(house, owner),
      ownWatches(house, owner),
      storage.follows.list({ workspaceId, ownerId: userId }),
      lastAlerts(house, owner),
    ])

    const home = renderHome({
      since,
      ends: due.filter(({ end }) => end.giverId === userId).length,
      link,
      takesLinks: config.alertUrl !== undefined,
      // Open alerts may be a minute old; all else was read just now.
      asOf: open?.asOf ?? Math.floor(house.now() / 1000),
      lists: {
        ...openBlocks(config, open, link?.userId),
        'Waiting for you': requestBlocks(waiting),
        'Your requests': requestBlocks(requests),
        ...listBlocks(config, { due, live, follows }),
        'Recent alerts': alertBlocks(config, alerts),
      },
    })

    try {
      await slack.publishHome(userId, home)
    } catch (error) {
      if (!(error instanceof SlackError)) throw error

      log.warn({ err: error, refusal: error.word }, 'Slack did not accept a Home tab')
    }
  })
}

async function lastAlerts({ config, slack, storage }: House, { workspaceId, userId }: SlackUser) {
  const lookUps = await storage.cards.list({ workspaceId, ownerId: userId, newest: mostLookUps })
  const newest = new Map(lookUps.toReversed().map((one) => [one.ks, one]))
  const last = [...newest.values()].toSorted((one, other) => other.at - one.at).slice(0, mostDone)

  return Promise.all(
    last.map(async (one) => ({
      ...one,
      cardLink: one.posted && (await slack.linkOf(one.posted)),
      webLink: webLink(config, one.ks, one.place),
    })),
  )
}

/** Draws the tab once somebody opens it. Slack sends the same event for an opened direct message. */
export async function opened(
  house: House,
  { workspaceId, event }: EventRequest<'app_home_opened'>,
) {
  const { charge, people } = house.slack
  const { user: userId, tab } = event
  if (tab !== 'home' || charge(userId) > 0) return

  const writer = await unlessSlackFails(people.writerOf(userId), ['missing_scope'])
  if (!writer || writer.isStranger) return

  await publishHome(house, { workspaceId, userId })
}

/** *Look up again*: the form, filled in. */
export function lookUpAgain(house: House, pressed: ActionRequest): Promise<void> {
  return openLookUpForm(house, pressed, pressed.value)
}

/** Runs a press in the tab, then draws the tab again; even if the press failed, as the tab was out of date then. */
function redrawing(run: (house: House, pressed: ActionRequest) => Promise<unknown>) {
  return async (house: House, pressed: ActionRequest): Promise<void> => {
    try {
      await run(house, pressed)
    } finally {
      if (pressed.view) await publishHome(house, pressed.asker)
    }
  }
}

export const forgetWho = redrawing(({ storage }, { asker }) => storage.ownIds.forget(asker))

export const disconnectHere = redrawing(({ tokens }, { asker }) => tokens.forget(asker))

/** *Stop following*, wherever the button is. */
export const stopFollowHere = redrawing(stopFollowing)

/** The menu of an end (more time, for good, now), wherever it is. */
export const changeEnd = redrawing(editEndOrAsk)

/** *I’m done* and *Hand back now*, wherever these buttons are. */
export const endEarly = redrawing(handBack)

/** *Stop watching* in a list: in the tab, or in a message, where the button is the same. */
export const stopInList = redrawing((house, pressed) =>
  pressed.view ? stopWatching(house, pressed) : stopListed(house, pressed),
)
