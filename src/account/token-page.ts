// The token page without its HTML: whose link it is, trying a token, and the result.
import type { House } from '../house.ts'
import { withId } from '../log/request.ts'
import type { TokenTrial } from '../monitor/client.ts'
import { SlackError } from '../slack/client/slack-error.ts'
import type { Person } from '../slack/ids.ts'
import type { WorkspaceName } from '../slack/workspace/bot.ts'
import type { Identity } from '../slack/workspace/people.ts'
import { singleFlights } from '../work/turns.ts'
import { inTime } from '../work/under-way.ts'
import { connectAccount, goOn, waitsOf } from './connect.ts'
import { takeWaiting } from './connect-first.ts'
import { findLink, type LinkMeaning, linkHash } from './links.ts'
import { checkToken, connectedModal, connectProblems, type Waits } from './render.ts'

/** The Slack account that a page connects. All raw. */
export interface Whom {
  /** Verified by Slack; undefined if Slack doesn't say, or not in time. */
  readonly email: string | undefined
  /** The word behind the @. */
  readonly handle: string | undefined
  /** The name they chose. */
  readonly name: string | undefined
  readonly workspace: WorkspaceName
}

/** The account that somebody connected, and what they read about it. All raw. */
export interface Connected extends Pick<Person, 'workspaceId' | 'name' | 'handle'> {
  readonly workspace: WorkspaceName
  readonly waits: Waits
  readonly trial: TokenTrial
}

/** The result of trying a token; problems are raw. */
export type Given =
  | { readonly kind: 'connected'; readonly as: Connected }
  /** Not stored; they can try again. */
  | { readonly kind: 'not-connected'; readonly problem: string }
  /** The link no longer works. */
  | { readonly kind: 'gone' }

/** The page waits this long for Slack to say who somebody is. */
const nameWithinMs = 2_000
/** Slack is asked once for each link, however often it is opened. */
const mostKnown = 1_000

/** The most that Slack's form takes. */
const longestToken = 3000
const tooLong = 'That’s too long for a token. Copy it again.'

export function createTokenPage(house: House) {
  const { slack, storage, log } = house
  /** Tries under way: a second press of the button gets the result of the first. */
  const underWay = singleFlights<Given>()
  /** By link. */
  const known = new Map<string, Identity>()

  async function identityOf(hash: string, userId: string): Promise<Identity | undefined> {
    const identity = known.get(hash) ?? (await inTime(slack.people.identityOf(userId), nameWithinMs))
    if (known.size >= mostKnown) known.clear()
    if (identity !== undefined) known.set(hash, identity)
    return identity
  }

  async function connected(hash: string, meaning: LinkMeaning, trial: TokenTrial): Promise<Given> {
    const { asker, waitingId, workspace } = meaning
    // Slack may have reported the press only after the page was opened.
    const { stand } = (await findLink(house, hash)) ?? meaning
    await storage.connectLinks.take(asker.workspaceId, hash)
    const resumed = await takeWaiting(house, asker, waitingId)
    const waits = waitsOf(waitingId, resumed)
    const goingOn = async () => {
      if (stand.viewId !== undefined) await showIn(stand.viewId, trial, waits)
      await goOn(house, asker, resumed, stand)
    }
    // The page doesn't wait for what follows in Slack.
    void slack.work.track(
      goingOn().catch((error: unknown) =>
        log.error({ err: error }, 'connected, but the waiting command failed'),
      ),
    )
    // The names on the form; if another process showed it, those of the command.
    const { handle = asker.handle, name = asker.name } = known.get(hash) ?? {}
    const { workspaceId } = asker
    return { kind: 'connected', as: { workspaceId, handle, name, workspace, waits, trial } }
  }

  /** Updates the modal that holds the link; it may be closed. */
  async function showIn(viewId: string, trial: TokenTrial, waits: Waits): Promise<void> {
    await slack.updateView(viewId, connectedModal(trial, waits)).catch((error: unknown) => {
      if (!(error instanceof SlackError)) throw error
    })
  }

  async function tryOnce(hash: string, token: string): Promise<Given> {
    const meaning = await findLink(house, hash)
    if (meaning === undefined) return { kind: 'gone' }
    try {
      const outcome = await connectAccount(house, meaning.asker, token)
      if (outcome.kind === 'connected') return await connected(hash, meaning, outcome.trial)
      return { kind: 'not-connected', problem: connectProblems[outcome.kind] }
    } catch (error) {
      log.error({ err: error }, 'a token could not be tested')
      return { kind: 'not-connected', problem: connectProblems.defect }
    }
  }

  return {
    /**
     * Says whose a link is, without using it up; undefined when it doesn't work.
     * Anyone with a link that works sees its owner's address: only the owner gets the link, and if they pass it on, the
     * page has to show whose it is.
     * @param secret - The end of the link.
     */
    async look(secret: string): Promise<Whom | undefined> {
      const hash = linkHash(secret)
      const meaning = await findLink(house, hash)
      if (meaning === undefined) return undefined
      const { asker, workspace } = meaning
      const found = await identityOf(hash, asker.userId)
      const { email, handle = asker.handle, name = asker.name } = found ?? {}
      return { email, handle, name, workspace }
    },
    /**
     * Tests a token and stores it, as the modal does, then resumes what waited.
     * @param typed - As it was typed.
     */
    async give(secret: string, typed: string): Promise<Given> {
      const checked = checkToken(typed.trim())
      if ('problem' in checked) return { kind: 'not-connected', problem: checked.problem }
      const { token } = checked
      if (token.length > longestToken) return { kind: 'not-connected', problem: tooLong }
      const hash = linkHash(secret)
      return underWay(`${hash} ${token}`, () => withId(() => tryOnce(hash, token)))
    },
  }
}
