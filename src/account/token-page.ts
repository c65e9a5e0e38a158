// The page where somebody gives their token, as far as it is not HTML: whose link it is, what came of it, and trying
// what they give.
import { withId } from '../log/request.ts'
import { classify } from '../slack/client/refusals.ts'
import type { Person } from '../slack/ids.ts'
import type { WorkspaceName } from '../slack/workspace/installation.ts'
import type { Identity } from '../slack/workspace/people.ts'
import { inTime } from '../work/in-time.ts'
import { type Afterwards, type ConnectOutcome, connectAccount, goOn, waitsOf } from './connect.ts'
import { takeWaiting } from './connect-first.ts'
import {
  type Connected,
  connectedIn,
  keepConnected,
  type LinkMeaning,
  type LinkRoom,
  linkHash,
  meaningOf,
} from './links.ts'
import { checkToken, connectedModal, connectProblems, type Waits } from './modal.ts'
import type { AccountRoom } from './room.ts'

/** Whose Slack account a page connects. All raw. */
export interface Whom {
  /** As Slack knows it; undefined when Slack does not say, or not in time. */
  readonly email: string | undefined
  /** As Slack writes it behind an @. */
  readonly handle: string | undefined
  /** As their colleagues know them. They choose it. */
  readonly name: string | undefined
  readonly workspace: WorkspaceName
}

/** What a link leads to. */
export type Seen =
  | { readonly kind: 'works'; readonly whom: Whom }
  /** In the browser in which somebody has connected with it. */
  | { readonly kind: 'connected'; readonly as: Connected }
  /** In any other browser: whose it was is not said any more. */
  | { readonly kind: 'used' }
  | { readonly kind: 'gone' }

/** What became of a token; problems are raw. */
export type Given =
  | { readonly kind: 'connected' }
  /** Not kept; it can be tried again. */
  | { readonly kind: 'not-connected'; readonly problem: string }
  /** The link does not work any more. With a problem when that has just come about. */
  | { readonly kind: 'gone'; readonly problem?: string }

export interface TokenPage {
  /**
   * Looks at a link, and uses nothing up.
   * Whoever has a link that works sees the address of its owner: it is the owner's own, private and for one time, and who
   * gets it from them has to see whose it is.
   * @param secret - The end of the link.
   * @param browser - What this browser keeps of a link it was used in; `''` for nothing.
   */
  look(secret: string, browser: string): Promise<Seen>
  /**
   * Tries a token and keeps it, as the modal does. What waited goes on by itself.
   * @param typed - As it was typed.
   * @param browser - What tells this browser from others afterwards.
   */
  give(secret: string, typed: string, browser: string): Promise<Given>
}

/** A page does not wait longer for what Slack knows of somebody. */
const nameWithinMs = 2_000
/** Whoever opens a link again and again has Slack asked once: as long as a link works. */
const identityKeptMs = 10 * 60_000
const mostIdentities = 1_000

/** Longer than any try: a process that has died holds no link for ever. */
const leaseMs = 2 * 60_000
/** What Slack's own form takes. */
const longestToken = 3000
const tooLong = 'That’s too long for a token. Copy it again.'
const busy = 'Another attempt with this link is still running. Try again in a moment.'

/** @param after - Who goes on once somebody has connected. */
export function createTokenPage(room: AccountRoom, page: LinkRoom, after: Afterwards): TokenPage {
  const { tokens, outbound, people, work, log, now } = room
  const { links } = page
  /** A second press of the button is told what the first one comes to. */
  const underWay = new Map<string, Promise<Given>>()
  const identities = new Map<string, { readonly identity: Identity; readonly at: number }>()

  /** In the modal that holds the link, when it stands in one; it may be closed. */
  async function showConnected(meaning: LinkMeaning, lacksRights: boolean, waits: Waits) {
    const { asker, stand } = meaning
    if (stand.viewId === undefined) return
    const slack = outbound.in(asker.workspaceId)
    await slack.updateView(stand.viewId, connectedModal(lacksRights, waits)).catch((error: unknown) => {
      if (classify(error).kind === 'defect') throw error
    })
  }

  async function connected(
    hash: string,
    meaning: LinkMeaning,
    { lacksRights, browser }: { readonly lacksRights: boolean; readonly browser: string },
  ): Promise<Given> {
    const { asker, waitingId } = meaning
    // Whoever is forgotten loses their links first: a token that was kept since is not wanted.
    const link = await links.find(hash)
    if (!(await links.use(hash))) {
      await tokens.forget(asker, 'unkept')
      return { kind: 'gone', problem: connectProblems.withdrawn }
    }
    // Its button may have been pressed only after the page was opened.
    const { stand } = (link && meaningOf(page, link)) ?? meaning
    // Connected they are, whatever becomes of what waited.
    const resumed = await takeWaiting(room, asker, waitingId).catch((error: unknown) => {
      log.error({ err: error }, 'the command that waited for an account could not be read')
      return undefined
    })
    const waits = waitsOf(waitingId, resumed)
    // As the form has named them, as a rule; where another process has shown it, as the command did.
    const { handle = asker.handle, name = asker.name } = identities.get(hash)?.identity ?? {}
    identities.delete(hash)
    const named = { ...meaning, asker: { ...asker, handle, name } }
    await keepConnected(page, hash, named, { waits, lacksRights, browser }).catch((error: unknown) =>
      log.error({ err: error }, 'connected, but what the page says about it could not be stored'),
    )
    const goingOn = async () => {
      await showConnected({ ...meaning, stand }, lacksRights, waits)
      await goOn(room, after, asker, resumed, stand)
    }
    // The page does not wait for what goes on in Slack.
    void work.track(
      goingOn().catch((error: unknown) =>
        log.error({ err: error }, 'connected, but the waiting command failed'),
      ),
    )
    return { kind: 'connected' }
  }

  async function notConnected(
    hash: string,
    why: Exclude<ConnectOutcome['kind'], 'connected'>,
  ): Promise<Given> {
    await links.release(hash)
    const problem = connectProblems[why]
    return (await links.find(hash)) === undefined
      ? { kind: 'gone', problem }
      : { kind: 'not-connected', problem }
  }

  async function tryOnce(hash: string, token: string, browser: string): Promise<Given> {
    const link = await links.hold(hash, leaseMs)
    if (link === 'busy') return { kind: 'not-connected', problem: busy }
    const meaning = link && meaningOf(page, link)
    if (meaning === undefined) return { kind: 'gone' }
    const { asker, waitingId } = meaning
    const owner = { workspaceId: asker.workspaceId, userId: asker.userId }
    try {
      const outcome = await connectAccount(room, owner, token, waitingId)
      if (outcome.kind !== 'connected') return await notConnected(hash, outcome.kind)
      return await connected(hash, meaning, { lacksRights: outcome.lacksRights, browser })
    } catch (error) {
      log.error({ err: error }, 'a token could not be tested')
      await links.release(hash)
      return { kind: 'not-connected', problem: connectProblems.defect }
    }
  }

  async function identityOf(hash: string, { workspaceId, userId }: Person): Promise<Identity | undefined> {
    for (const [old, { at }] of identities) if (Math.abs(now() - at) >= identityKeptMs) identities.delete(old)
    const asked = identities.get(hash)
    if (asked !== undefined) return asked.identity
    const identity = await inTime(people.in(workspaceId).identityOf(userId), nameWithinMs)
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

  async function lookAtUsed(hash: string, browser: string): Promise<Seen> {
    const link = await links.findUsed(hash)
    if (link === undefined) return { kind: 'gone' }
    const as = connectedIn(page, link, browser)
    return as === undefined ? { kind: 'used' } : { kind: 'connected', as }
  }

  return {
    async look(secret, browser) {
      const hash = linkHash(secret)
      const link = await links.find(hash)
      if (link === undefined) return lookAtUsed(hash, browser)
      const meaning = meaningOf(page, link)
      return meaning === undefined ? { kind: 'gone' } : { kind: 'works', whom: await whomOf(hash, meaning) }
    },
    async give(secret, typed, browser) {
      const checked = checkToken(typed.trim())
      if ('problem' in checked) return { kind: 'not-connected', problem: checked.problem }
      const { token } = checked
      if (token.length > longestToken) return { kind: 'not-connected', problem: tooLong }
      const hash = linkHash(secret)
      const key = `${hash} ${browser} ${token}`
      const trying =
        underWay.get(key) ?? withId(() => tryOnce(hash, token, browser)).finally(() => underWay.delete(key))
      underWay.set(key, trying)
      return trying
    },
  }
}
