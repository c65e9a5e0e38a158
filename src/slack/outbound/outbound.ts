// Everything the bot sends into one workspace. One place that knows how Slack refuses and when to ask again.
// It must not know alerts or grants.
import type { WebClient } from '@slack/web-api'
import { UserError } from '../../errors.ts'
import type { Log } from '../../log/log.ts'
import { classify, ofMethod } from '../client/refusals.ts'
import type { Patiently } from '../client/web-client.ts'
import type { Home, Message, Posted, View } from './message.ts'
import { createReadably } from './readably.ts'
import type { PostToUrl } from './response-url.ts'

/** How a message goes out over a `response_url`. */
export interface ResponseHow {
  readonly to: 'channel' | 'asker'
  /** Replaces the message whose button brought the `response_url`. */
  readonly replaces?: boolean
  /**
   * Parent message that is already known. Slack heeds it for what is for the channel and replaces nothing; the rest goes
   * to the bottom of the channel.
   */
  readonly threadTs?: string | undefined
}

/** All methods throw what `refusals.ts` sorts; a rate limit is waited for a few times before it is thrown. */
export interface Outbound extends Views {
  /** @param channelId - A channel, or a user's id for their direct message with the bot. */
  post(channelId: string, message: Message, threadTs?: string): Promise<Posted>
  /** Shows one person a message where they are; the bot and they have to be there. */
  whisper(channelId: string, userId: string, message: Message, threadTs?: string): Promise<void>
  /** As `whisper`, in one attempt: a rate limit is thrown at once, as there is another way. */
  whisperOnce(channelId: string, userId: string, message: Message, threadTs?: string): Promise<void>
  update(posted: Posted, message: Message): Promise<void>
  /** As `update`, in one attempt: a rate limit is thrown at once, as whoever asks has something newer by then. */
  updateOnce(posted: Posted, message: Message): Promise<void>
  /** Posts into a thread. One attempt: a rate limit is thrown at once. */
  reply(parent: Posted, message: Message): Promise<void>
  respond(responseUrl: string, message: Message, how: ResponseHow): Promise<void>
  /** Takes away the message whose button brought this `response_url`. */
  retract(responseUrl: string): Promise<void>
}

const inOneAttempt: Patiently = (send) => send()

export function createOutbound(slack: {
  /** The workspace's client, when something is asked of Slack. */
  readonly web: () => Promise<WebClient>
  readonly postTo: PostToUrl
  readonly log: Log
  readonly patiently: Patiently
  readonly settled: (viewId: string) => Promise<void>
  /** Told of each update that waits for nobody's turn. @param askedSeconds - For so long Slack has asked to wait. */
  readonly onUpdate: (askedSeconds: number | undefined) => void
}): Outbound {
  const { web, postTo, patiently, settled, onUpdate } = slack
  const readably = createReadably(slack)

  const change = ({ channelId, ts }: Posted, { text, blocks }: Message): Promise<void> =>
    ofMethod('chat.update', async () => {
      await (await web()).chat.update({ channel: channelId, ts, text, blocks: [...blocks] })
    })

  async function changeNow(posted: Posted, message: Message): Promise<void> {
    try {
      await change(posted, message)
      onUpdate(undefined)
    } catch (error) {
      onUpdate(classify(error).waitSeconds)
      throw error
    }
  }

  const whisperWith =
    (how: Patiently): Outbound['whisper'] =>
    (channelId, userId, message, threadTs) =>
      readably(
        message,
        async ({ text, blocks }) => {
          await (await web()).chat.postEphemeral({
            channel: channelId,
            user: userId,
            text,
            blocks: [...blocks],
            ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
          })
        },
        how,
      )

  const postNew = async (
    channelId: string,
    { text, blocks }: Message,
    threadTs?: string,
  ): Promise<Posted> => {
    const posted = await (await web()).chat.postMessage({
      channel: channelId,
      text,
      blocks: [...blocks],
      unfurl_links: false,
      unfurl_media: false,
      ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    })
    return { channelId: posted.channel ?? channelId, ts: posted.ts ?? '', threadTs }
  }

  return {
    ...createViews({ web, patiently, settled }),
    post: (channelId, message, threadTs) => readably(message, (plain) => postNew(channelId, plain, threadTs)),
    whisper: whisperWith(patiently),
    whisperOnce: whisperWith(inOneAttempt),
    update: (posted, message) => readably(message, (plain) => changeNow(posted, plain)),
    updateOnce: (posted, message) => readably(message, (plain) => change(posted, plain), inOneAttempt),
    async reply({ channelId, ts, threadTs = ts }, message) {
      await readably(
        message,
        (plain) => ofMethod('chat.postMessage', () => postNew(channelId, plain, threadTs)),
        inOneAttempt,
      )
    },
    respond: (responseUrl, message, how) =>
      readably(message, ({ text, blocks }) =>
        postTo(responseUrl, {
          response_type: how.to === 'channel' ? 'in_channel' : 'ephemeral',
          replace_original: how.replaces ?? false,
          text,
          blocks: [...blocks],
          unfurl_links: false,
          unfurl_media: false,
          ...(how.threadTs === undefined ? {} : { thread_ts: how.threadTs }),
        }),
      ),
    retract: (responseUrl) => patiently(() => postTo(responseUrl, { delete_original: true })),
  }
}

/** A message of somebody's, with links in it. */
interface WithLinks {
  readonly channelId: string
  readonly ts: string
}

/** Modals, the Home tab, and what hangs below links that people post: what is no message of the bot's own. */
interface Views {
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
const noTrigger = 'Slack didn’t let Bellhop open a form. Try again.'

/** Slack's words for a view that is closed, or has changed since. */
const missed: ReadonlySet<string> = new Set(['not_found', 'hash_conflict'])

// A trigger lives three seconds.
const longestTriggerWaitSeconds = 1

function createViews({
  web,
  patiently,
  settled,
}: {
  readonly web: () => Promise<WebClient>
  readonly patiently: Patiently
  /** Resolves when no ack is about to change this view. */
  readonly settled: (viewId: string) => Promise<void>
}): Views {
  return {
    async openView(triggerId, view) {
      if (triggerId === '') throw new UserError(noTrigger)
      const open = async () => (await web()).views.open({ trigger_id: triggerId, view })
      const opened = await patiently(open, longestTriggerWaitSeconds)
      return opened.view?.id ?? ''
    },
    async updateView(viewId, view, hash) {
      await settled(viewId)
      const which = { view_id: viewId, ...(hash ? { hash } : {}) }
      try {
        await patiently(async () => (await web()).views.update({ ...which, view }))
        return true
      } catch (error) {
        if (missed.has(classify(error).word ?? '')) return false
        throw error
      }
    },
    async publishHome(userId, home) {
      await patiently(async () => (await web()).views.publish({ user_id: userId, view: home }))
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
