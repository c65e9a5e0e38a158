// Sends all that the bot sends to Slack: again after a rate limit, and as a mere sentence if Slack rejects the blocks.
import type { HomeView, KnownBlock } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { Log } from '../../log/log.ts'
import { type SlackConnection, SlackError, unlessSlackFails, wordOf } from '../client.ts'
import type { Patiently } from '../pace.ts'
import type { Message, Posted, View } from './message.ts'

/** Slack's words for blocks that it can't read: our defect, or an address that Slack does not like. */
const unreadable = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long'])
/** Slack's words for a view that has been closed or changed. */
const missed = ['not_found', 'hash_conflict']

const noPreviews = { unfurl_links: false, unfurl_media: false }
const inThread = (threadTs: string | undefined) =>
  threadTs === undefined ? {} : { thread_ts: threadTs }

interface Responding {
  readonly to: 'channel' | 'asker'
  /** True to replace the message whose button brought the `response_url`. */
  readonly replaces?: boolean
  /** Slack heeds this only for new messages to the whole channel; others appear at the channel's bottom. */
  readonly threadTs?: string | undefined
}

export type Outbound = ReturnType<typeof createOutbound>

/** All methods throw `SlackError`. Unless they say otherwise, they wait for a rate limit a few times before that. */
export function createOutbound(
  web: WebClient,
  connection: SlackConnection,
  patiently: Patiently,
  log: Log,
) {
  const apiOrigin = new URL(connection.apiUrl).origin

  /** @param instead - Sent in place of blocks that Slack rejects: an empty list clears the blocks of an update. */
  async function readably<T>(
    { text, blocks }: Message,
    send: (shown: { text: string; blocks?: KnownBlock[] }) => Promise<T>,
    instead: { blocks?: [] } = {},
  ): Promise<T> {
    try {
      return await send({ text, blocks: [...blocks] })
    } catch (error) {
      if (!unreadable.has(wordOf(error) ?? '') || blocks.length === 0) throw error
      log.error({ err: error }, 'Slack rejects blocks of ours; sending only their sentence')
      return send({ text, ...instead })
    }
  }

  /**
   * @param channel - A channel's id, or a user's, for their direct message.
   * @param alsoInChannel - Shows a reply in the channel, too.
   */
  function postOnce(channel: string, message: Message, threadTs?: string, alsoInChannel = false) {
    const broadcast =
      threadTs && alsoInChannel ? { thread_ts: threadTs, reply_broadcast: true } : {}
    const where = { channel, ...noPreviews, ...inThread(threadTs), ...broadcast }
    return readably(message, async (shown): Promise<Posted> => {
      const posted = await web.chat.postMessage({ ...where, ...shown })
      return { channelId: posted.channel ?? channel, ts: posted.ts ?? '', threadTs }
    })
  }

  async function updateOnce({ channelId: channel, ts }: Posted, message: Message) {
    await readably(message, (shown) => web.chat.update({ channel, ts, ...shown }), { blocks: [] })
  }

  /** Source: docs.slack.dev/interactivity/handling-user-interaction, “Message responses”. */
  async function postTo(responseUrl: string, body: object) {
    const method = 'response_url'
    // A stolen signing secret must not be enough to have answers sent elsewhere.
    if (!isSlacks(responseUrl, apiOrigin)) throw new SlackError(method, { word: 'not_slack' })
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    const request = { headers, body: JSON.stringify(body) }
    await connection.post(method, responseUrl, request, ({ status, text }) => {
      const word = refusalIn(text)
      if (status >= 300 || word !== undefined) throw new SlackError(method, { word, status })
    })
  }

  return {
    /** `postOnce` and `updateOnce` try once: their callers have another way, or something newer to send, or try again later. */
    postOnce,
    updateOnce,
    post: (...sent: Parameters<typeof postOnce>) => patiently(() => postOnce(...sent)),
    update: (...sent: Parameters<typeof updateOnce>) => patiently(() => updateOnce(...sent)),
    /** Shows one person a message, in one attempt. Both they and the bot have to be in the channel. */
    async whisper(channel: string, user: string, message: Message, threadTs?: string) {
      const where = { channel, user, ...inThread(threadTs) }
      await readably(message, (shown) => web.chat.postEphemeral({ ...where, ...shown }))
    },
    respond(responseUrl: string, message: Message, { to, replaces = false, threadTs }: Responding) {
      const where = {
        response_type: to === 'channel' ? 'in_channel' : 'ephemeral',
        replace_original: replaces,
        ...noPreviews,
        ...inThread(threadTs),
      }
      return readably(message, (shown) =>
        patiently(() => postTo(responseUrl, { ...shown, ...where })),
      )
    },
    retract: (responseUrl: string) =>
      patiently(() => postTo(responseUrl, { delete_original: true })),
    /** @returns The id of the opened view. */
    async openView(triggerId: string, view: View): Promise<string> {
      const opened = await patiently(() => web.views.open({ trigger_id: triggerId, view }))
      return opened.view?.id ?? ''
    },
    /** @param hash - Of the view to replace. @returns False when the view was closed or changed meanwhile. */
    async updateView(viewId: string, view: View, hash?: string): Promise<boolean> {
      const updating = patiently(() =>
        web.views.update({ view_id: viewId, ...(hash && { hash }), view }),
      )
      return (await unlessSlackFails(updating, missed)) !== undefined
    },
    publishHome: (userId: string, home: HomeView) =>
      patiently(() => web.views.publish({ user_id: userId, view: home })),
    /** @param previews - By link as Slack wrote it. Their text is for clients that show no blocks. */
    async unfurl({ channelId, ts }: Posted, previews: ReadonlyMap<string, Message>) {
      const unfurls = Object.fromEntries(
        [...previews].map(([url, { text, blocks }]) => [
          url,
          { fallback: text, blocks: [...blocks] },
        ]),
      )
      await patiently(() => web.chat.unfurl({ channel: channelId, ts, unfurls }))
    },
    /**
     * Shows a message only to the person who posted links, to ask for something that the previews need, such as an account.
     */
    async promptBelow({ channelId, ts }: Posted, { text, blocks }: Message) {
      const prompt = {
        channel: channelId,
        ts,
        unfurls: {},
        user_auth_required: true,
        user_auth_message: text,
        user_auth_blocks: [...blocks],
      }
      await patiently(() => web.chat.unfurl(prompt))
    },
  }
}

/**
 * Source: docs.slack.dev/interactivity/handling-user-interaction (response_url is on hooks.slack.com).
 * @param apiOrigin - The Web API's, which may be a test's or a proxy's.
 */
function isSlacks(url: string, apiOrigin: string): boolean {
  const origin = URL.parse(url)?.origin ?? ''
  return origin === apiOrigin || /^https:\/\/(?:[\w.-]+\.)?slack(?:-gov)?\.com$/.test(origin)
}

/** Slack's word in a response URL's answer, in JSON or as plain text. */
function refusalIn(text: string): string | undefined {
  return (
    /"error"\s*:\s*"([a-z_]{1,60})"/.exec(text)?.[1] ??
    /^[a-z]+(?:_[a-z]+)+$/.exec(text.trim())?.[0]
  )
}
