// Everything the bot sends into Slack. One place that knows how Slack refuses and when to ask again.
import type { WebClient } from '@slack/web-api'
import type { Log } from '../../log/log.ts'
import { SlackError, waitSecondsOf, wordOf } from '../client/slack-error.ts'
import { refusalIn, type Transport } from '../client/transport.ts'
import type { Patiently } from '../client/web-client.ts'
import type { Home, Message, Posted, View } from './message.ts'

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

/** All methods throw `SlackError`; a rate limit is waited for a few times before it is thrown. */
export interface Outbound {
  /** @param channelId - A channel, or a user's id for their direct message with the bot. */
  post(channelId: string, message: Message, threadTs?: string): Promise<Posted>
  /** Shows one person a message where they are; the bot and they have to be there. */
  whisper(channelId: string, userId: string, message: Message, threadTs?: string): Promise<void>
  /** As `whisper`, in one attempt: a rate limit is thrown at once, as there is another way. */
  whisperOnce(channelId: string, userId: string, message: Message, threadTs?: string): Promise<void>
  update(posted: Posted, message: Message): Promise<void>
  /** As `update`, in one attempt: a rate limit is thrown at once, as whoever asks has something newer by then. */
  updateOnce(posted: Posted, message: Message): Promise<void>
  /**
   * Posts into a thread. One attempt: a rate limit is thrown at once.
   * @param how.alsoInChannel - Slack shows it at the foot of the channel as well.
   */
  reply(parent: Posted, message: Message, how?: { readonly alsoInChannel: boolean }): Promise<void>
  respond(responseUrl: string, message: Message, how: ResponseHow): Promise<void>
  /** Takes away the message whose button brought this `response_url`. */
  retract(responseUrl: string): Promise<void>
  /** Returns the id of the opened view. */
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

/** A message of somebody's, with links in it. */
type WithLinks = Pick<Posted, 'channelId' | 'ts'>

/** Slack's words for blocks that it cannot read. They are a defect of ours, or an address that Slack does not like. */
const unreadable = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long'])
/** The same, of a view. */
const unreadableView = new Set(['invalid_arguments', 'invalid_blocks', 'view_too_large'])
/** Slack's words for a view that is closed, or has changed since. */
const missed = new Set(['not_found', 'hash_conflict'])

/** True when Slack cannot read a view, so that sending it once more would not help. */
export function isUnreadableView(error: unknown): boolean {
  return unreadableView.has(wordOf(error) ?? '')
}

/** A trigger lives three seconds. */
const longestTriggerWaitSeconds = 1

const noPreviews = { unfurl_links: false, unfurl_media: false }
const inOneAttempt: Patiently = (send) => send()
const inThread = (threadTs: string | undefined) => (threadTs === undefined ? {} : { thread_ts: threadTs })

export function createOutbound(slack: {
  readonly web: WebClient
  readonly fetch: Transport['fetch']
  /** What a payload names is only ever answered there. */
  readonly isSlackUrl: (url: string) => boolean
  readonly patiently: Patiently
  /** Resolves when no ack is about to change this view. */
  readonly settled: (viewId: string) => Promise<void>
  /** Told of each update that waits for nobody's turn. @param askedSeconds - For so long Slack has asked to wait. */
  readonly onUpdate: (askedSeconds: number | undefined) => void
  readonly log: Log
}): Outbound {
  const { web, fetch, isSlackUrl, patiently, settled, onUpdate, log } = slack

  /** Sends a message with its sentence alone when Slack cannot read its blocks. */
  async function readably<T>(
    { text, blocks }: Message,
    send: (message: { text: string; blocks: Message['blocks'][number][] }) => Promise<T>,
    how = patiently,
  ): Promise<T> {
    try {
      return await how(() => send({ text, blocks: [...blocks] }))
    } catch (error) {
      if (!unreadable.has(wordOf(error) ?? '') || blocks.length === 0) throw error
      const complaints = error instanceof SlackError ? error.complaints : []
      log.error({ err: error, complaints }, 'Slack rejects blocks of ours; sending only their sentence')
      return how(() => send({ text, blocks: [] }))
    }
  }

  function post(
    channelId: string,
    message: Message,
    threadTs: string | undefined,
    { how = patiently, alsoInChannel = false } = {},
  ) {
    return readably(
      message,
      async (shown): Promise<Posted> => {
        const thread =
          threadTs !== undefined && alsoInChannel
            ? { thread_ts: threadTs, reply_broadcast: true }
            : inThread(threadTs)
        const said = { channel: channelId, ...shown, ...noPreviews, ...thread }
        const { channel = channelId, ts = '' } = await web.chat.postMessage(said)
        return { channelId: channel, ts, threadTs }
      },
      how,
    )
  }

  function whisper(channel: string, user: string, message: Message, threadTs?: string, how = patiently) {
    return readably(
      message,
      async (shown) =>
        void (await web.chat.postEphemeral({ channel, user, ...shown, ...inThread(threadTs) })),
      how,
    )
  }

  function change({ channelId, ts }: Posted, message: Message, how: Patiently, note = onUpdate) {
    return readably(
      message,
      async (shown) => {
        try {
          await web.chat.update({ channel: channelId, ts, ...shown })
          note(undefined)
        } catch (error) {
          note(waitSecondsOf(error))
          throw error
        }
      },
      how,
    )
  }

  /** Source: docs.slack.dev/interactivity/handling-user-interaction, “Message responses”. */
  async function postTo(responseUrl: string, body: object): Promise<void> {
    const method = 'response_url'
    if (!isSlackUrl(responseUrl)) throw new SlackError(method, { word: 'not_slack' })
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(responseUrl, request).catch((error: unknown) => {
      throw new SlackError(method, {}, { cause: error })
    })
    const { status } = answer
    const word = refusalIn({ status, text: await answer.text() })
    if (status === 429)
      throw new SlackError(method, { waitSeconds: Number(answer.headers.get('retry-after') ?? 1) })
    if (word !== undefined || !answer.ok) throw new SlackError(method, { word, status })
  }

  return {
    post: (channelId, message, threadTs) => post(channelId, message, threadTs),
    whisper: (...whispered) => whisper(...whispered),
    whisperOnce: (channelId, userId, message, threadTs) =>
      whisper(channelId, userId, message, threadTs, inOneAttempt),
    update: (posted, message) => change(posted, message, patiently),
    // Whoever draws in turns counts by themselves.
    updateOnce: (posted, message) => change(posted, message, inOneAttempt, () => undefined),
    async reply({ channelId, ts, threadTs = ts }, message, how) {
      await post(channelId, message, threadTs, { ...how, how: inOneAttempt })
    },
    respond: (responseUrl, message, { to, replaces = false, threadTs }) =>
      readably(message, (shown) =>
        postTo(responseUrl, {
          response_type: to === 'channel' ? 'in_channel' : 'ephemeral',
          replace_original: replaces,
          ...shown,
          ...noPreviews,
          ...inThread(threadTs),
        }),
      ),
    retract: (responseUrl) => patiently(() => postTo(responseUrl, { delete_original: true })),
    async openView(triggerId, view) {
      const open = () => web.views.open({ trigger_id: triggerId, view })
      return (await patiently(open, longestTriggerWaitSeconds)).view?.id ?? ''
    },
    async updateView(viewId, view, hash) {
      await settled(viewId)
      try {
        await patiently(() => web.views.update({ view_id: viewId, ...(hash ? { hash } : {}), view }))
        return true
      } catch (error) {
        if (missed.has(wordOf(error) ?? '')) return false
        throw error
      }
    },
    async publishHome(userId, home) {
      await patiently(() => web.views.publish({ user_id: userId, view: home }))
    },
    async unfurl({ channelId, ts }, previews) {
      const unfurls = Object.fromEntries(
        [...previews].map(([url, { text, blocks }]) => [url, { fallback: text, blocks: [...blocks] }]),
      )
      await patiently(() => web.chat.unfurl({ channel: channelId, ts, unfurls }))
    },
    async promptBelow({ channelId, ts }, { text, blocks }) {
      const prompt = { user_auth_required: true, user_auth_message: text, user_auth_blocks: [...blocks] }
      await patiently(() => web.chat.unfurl({ channel: channelId, ts, unfurls: {}, ...prompt }))
    },
  }
}

/**
 * Knows addresses of Slack's own.
 * @param apiUrl - Base address of the Web API; where it is not Slack's (tests, proxies), its origin counts too.
 * Source: docs.slack.dev/interactivity/handling-user-interaction (response_url is on hooks.slack.com).
 */
export function slackUrls(apiUrl: string): (url: string) => boolean {
  const { origin } = new URL(apiUrl)
  return (url) => {
    const parsed = URL.parse(url)
    if (parsed === null) return false
    if (parsed.origin === origin) return true
    return parsed.protocol === 'https:' && /(^|\.)slack(-gov)?\.com$/.test(parsed.hostname)
  }
}
