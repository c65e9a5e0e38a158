// The token page without its HTML: whose link it is, trying a token, and the result.
import type { House } from '../house.ts'
import { withId } from '../log/request.ts'
import { SlackError } from '../slack/client/slack-error.ts'
import type { Person } from '../slack/ids.ts'
import type { WorkspaceName } from '../slack/workspace/installation.ts'
import type { Identity } from '../slack/workspace/people.ts'
import { inTime } from '../work/under-way.ts'
import { connectAccount, goOn, waitsOf } from './connect.ts'
import { takeWaiting } from './connect-first.ts'
import { type Connected, type LinkMeaning, linkHash, meaningOf, type Stand } from './links.ts'
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

/** The result of trying a token; problems are raw. */
export type Given =
  | { readonly kind: 'connected'; readonly as: Connected }
  /** Not stored; they can try again. */
  | { readonly kind: 'not-connected'; readonly problem: string }
  /** The link no longer works. */
  | { readonly kind: 'gone' }

export interface TokenPage {
  /**
   * Says whose a link is, without using it up; undefined when it doesn't work.
   * Anyone with a link that works sees its owner's address: only the owner gets the link, and if they pass it on, the
   * page has to show whose it is.
   * @param secret - The end of the link.
   */
  look(secret: string): Promise<Whom | undefined>
  /**
   * Tests a token and stores it, as the modal does, then resumes what waited.
   * @param typed - As it was typed.
   */
  give(secret: string, typed: string): Promise<Given>
}

/** The page waits this long for Slack to say who somebody is. */
const nameWithinMs = 2_000
/** Slack is asked once for each link, however often it is opened: as long as a link works. */
const identityKeptMs = 10 * 60_000
const mostIdentities = 1_000

/** The most that Slack's form takes. */
const longestToken = 3000
const tooLong = 'That’s too long for a token. Copy it again.'

export function createTokenPage(house: House): TokenPage {
  const { slack, log, now } = house
  const links = house.storage.connectLinks
  /** Tries under way: a second press of the button gets the result of the first. */
  const underWay = new Map<string, Promise<Given>>()
  const identities = new Map<string, { readonly identity: Identity; readonly at: number }>()

  /** Updates the modal that holds the link, if there is one; it may be closed. */
  async function showConnected({ viewId }: Stand, lacksRights: boolean, waits: Waits) {
    if (viewId === undefined) return
    await slack.updateView(viewId, connectedModal(lacksRights, waits)).catch((error: unknown) => {
      if (!(error instanceof SlackError)) throw error
    })
  }

  async function connected(hash: string, meaning: LinkMeaning, lacksRights: boolean): Promise<Given> {
    const { asker, waitingId } = meaning
    const link = await links.find(hash)
    await links.use(hash)
    // Slack may have reported the press only after the page was opened.
    const { stand } = (link && meaningOf(house, link)) ?? meaning
    // They are connected, even if the waiting command is lost.
    const resumed = await takeWaiting(house, asker, waitingId).catch((error: unknown) => {
      log.error({ err: error }, 'the command that waited for an account could not be read')
      return undefined
    })
    const waits = waitsOf(waitingId, resumed)
    // The names on the form; if another process showed it, those of the command.
    const { handle = asker.handle, name = asker.name } = identities.get(hash)?.identity ?? {}
    identities.delete(hash)
    const goingOn = async () => {
      await showConnected(stand, lacksRights, waits)
      await goOn(house, asker, resumed, stand)
    }
    // The page doesn't wait for what follows in Slack.
    void slack.work.track(
      goingOn().catch((error: unknown) =>
        log.error({ err: error }, 'connected, but the waiting command failed'),
      ),
    )
    const { workspaceId } = asker
    const as = { workspaceId, handle, name, workspace: meaning.workspace, waits, lacksRights }
    return { kind: 'connected', as }
  }

  async function tryOnce(hash: string, token: string): Promise<Given> {
    const link = await links.find(hash)
    const meaning = link && meaningOf(house, link)
    if (meaning === undefined) return { kind: 'gone' }
    const { asker, waitingId } = meaning
    const owner = { workspaceId: asker.workspaceId, userId: asker.userId }
    try {
      const outcome = await connectAccount(house, owner, token, waitingId)
      if (outcome.kind === 'connected') return await connected(hash, meaning, outcome.lacksRights)
      return { kind: 'not-connected', problem: connectProblems[outcome.kind] }
    } catch (error) {
      log.error({ err: error }, 'a token could not be tested')
      return { kind: 'not-connected', problem: connectProblems.defect }
    }
  }

  async function identityOf(hash: string, { userId }: Person): Promise<Identity | undefined> {
    for (const [old, { at }] of identities) if (Math.abs(now() - at) >= identityKeptMs) identities.delete(old)
    const asked = identities.get(hash)
    if (asked !== undefined) return asked.identity
    const identity = await inTime(slack.people.identityOf(userId), nameWithinMs)
    if (identity === undefined) return undefined
    identities.set(hash, { identity, at: now() })
    const [oldest] = identities.keys()
    if (identities.size > mostIdentities && oldest !== undefined) identities.delete(oldest)
    return identity
  }

  async function whomOf(hash: string, { asker, workspace }: LinkMeaning): Promise<Whom> {
    const known = await identityOf(hash, asker)
    return {
      email: known?.email,
      handle: known?.handle ?? asker.handle,
      name: known?.name ?? asker.name,
      workspace,
    }
  }

  return {
    async look(secret) {
      const hash = linkHash(secret)
      const link = await links.find(hash)
      const meaning = link && meaningOf(house, link)
      return meaning && whomOf(hash, meaning)
    },
    async give(secret, typed) {
      const checked = checkToken(typed.trim())
      if ('problem' in checked) return { kind: 'not-connected', problem: checked.problem }
      const { token } = checked
      if (token.length > longestToken) return { kind: 'not-connected', problem: tooLong }
      const hash = linkHash(secret)
      const key = `${hash} ${token}`
      const trying =
        underWay.get(key) ?? withId(() => tryOnce(hash, token)).finally(() => underWay.delete(key))
      underWay.set(key, trying)
      return trying
    },
  }
}
