// Modals, the Home tab, and what hangs below links that people post: what is no message of the bot's own.
import type { WebClient } from '@slack/web-api'
import { UserError } from '../../errors.ts'
import { classify } from '../client/refusals.ts'
import type { Patiently } from '../client/web-client.ts'
import type { Home, Message, View } from './message.ts'
import type { Readably } from './readably.ts'

/** A message of somebody's, with links in it. */
export interface WithLinks {
  readonly channelId: string
  readonly ts: string
}

export interface Views {
  /** Returns the id of the opened view. @throws UserError without a trigger. */
  openView(triggerId: string, view: View): Promise<string>
  /**
   * False when the person has closed it meanwhile, or it was changed since.
   * @param hash - Of the view as it is to be replaced, by whoever knows it.
   */
  updateView(viewId: string, view: View, hash?: string): Promise<boolean>
  /** In place of the Home tab that this person had. */
  publishHome(userId: string, home: Home): Promise<void>
  /**
   * Shows previews below links of a message, by link as Slack wrote it. Links and text alone; the sentence is for
   * notifications and clients that show no blocks.
   */
  unfurl(message: WithLinks, previews: ReadonlyMap<string, Message>): Promise<void>
  /** Asks whoever posted links, alone, for something that their preview needs. */
  promptBelow(message: WithLinks, prompt: Message): Promise<void>
}

/** Without a trigger Slack opens nothing, and need not be asked. */
export const noTrigger = 'Slack didn’t let Bellhop open a form. Try again.'

/** Slack's words for a view that is closed, or has changed since. */
const missed: ReadonlySet<string> = new Set(['not_found', 'hash_conflict'])

// A trigger lives three seconds.
const longestTriggerWaitSeconds = 1

export function createViews({
  web,
  patiently,
  readably,
  settled,
}: {
  readonly web: () => Promise<WebClient>
  readonly patiently: Patiently
  readonly readably: Readably
  /** Resolves when no ack is about to change this view. */
  readonly settled: (viewId: string) => Promise<void>
}): Views {
  return {
    async openView(triggerId, view) {
      if (triggerId === '') throw new UserError(noTrigger)
      return readably.view(view, async (readable) => {
        const open = async () => (await web()).views.open({ trigger_id: triggerId, view: readable })
        const opened = await patiently(open, longestTriggerWaitSeconds)
        return opened.view?.id ?? ''
      })
    },
    async updateView(viewId, view, hash) {
      await settled(viewId)
      const which = { view_id: viewId, ...(hash ? { hash } : {}) }
      try {
        await readably.view(view, (readable) =>
          patiently(async () => (await web()).views.update({ ...which, view: readable })),
        )
        return true
      } catch (error) {
        if (missed.has(classify(error).word ?? '')) return false
        throw error
      }
    },
    async publishHome(userId, home) {
      await readably.view(home, (readable) =>
        patiently(async () => (await web()).views.publish({ user_id: userId, view: readable })),
      )
    },
    async unfurl({ channelId, ts }, previews) {
      const unfurls = Object.fromEntries(
        [...previews].map(([url, { text, blocks }]) => [url, { fallback: text, blocks: [...blocks] }]),
      )
      await patiently(async () => (await web()).chat.unfurl({ channel: channelId, ts, unfurls }))
    },
    async promptBelow({ channelId, ts }, { text, blocks }) {
      await patiently(async () =>
        (await web()).chat.unfurl({
          channel: channelId,
          ts,
          unfurls: {},
          user_auth_required: true,
          user_auth_message: text,
          user_auth_blocks: [...blocks],
        }),
      )
    },
  }
}
