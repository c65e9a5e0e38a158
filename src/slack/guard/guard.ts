// Guards every listener. In this order: ack, limit of requests, who asks, each write once, the listener, telling failures.
//
// Lines and forms that write are acked once the write is stored, or after a second. Everything else, buttons too, is acked
// at once, unless the ack is itself the answer: help, a form, a menu's suggestions. Around the guard, `FollowedApp` gives
// each request its id, log line and counter.
import type { App, BlockAction, ViewResponseAction } from '@slack/bolt'
import type { PlainTextOption } from '@slack/types'
import type { House } from '../../house.ts'
import { type About, noteOutcome, noteRequest, noteSender, requestNow } from '../../log/log.ts'
import { inTime } from '../../work/under-way.ts'
import type { Place } from '../outbound/delivery.ts'
import { type Message, say } from '../outbound/message.ts'
import { answering, type EventRequest, event, type LineRoute, type Routes } from '../routes.ts'
import { limits } from '../text/mrkdwn.ts'
import { longestLine } from '../text/typed.ts'
import { tellFailures, topics } from './failures.ts'
import {
  type Asking,
  ackOnceKept,
  personOf,
  readInputs,
  refuseIfReplayed,
  type Sender,
  saidId,
  sentAsCommand,
  sentBy,
} from './requests.ts'

interface Incoming {
  readonly about: About
  readonly sent: Sender
  /** Tells requests apart. Undefined for one that may come twice. */
  readonly id?: string | undefined
  /** Seconds until the asker may ask again, if `charge` has returned them already. Default: it is called now. */
  readonly seconds?: number
  /** Tells the asker in the form, in place of a message. @returns False when that isn't possible. */
  readonly tellInForm?: (sentence: string) => Promise<boolean>
}

/** Slack waits three seconds for suggestions, network included. */
const suggestMs = 2_000
/** Menus ask at each keystroke, so long text would be read again and again. */
const longestTyped = 200

export function listen(app: App, house: House, routes: Routes): void {
  const { config, slack, log } = house

  /** Guards a listener, from the limit of requests on, and tells the asker what fails on the way. Never rejects. */
  function enter(entering: Incoming, listener: (asking: Asking) => Promise<void>): Promise<void> {
    const { about, sent, id, tellInForm, seconds = slack.charge(sent.place.userId) } = entering
    let { place } = sent
    const answer = (message: Message) => slack.privately(place, message)
    const tell = async (message: Message, sentence = message.text) => {
      if (!(await tellInForm?.(sentence))) await answer(message)
    }

    return tellFailures(house, about, tell, async () => {
      const { workspaceId } = await slack.learned()
      noteSender(workspaceId, place.userId)
      // Strangers can ask too fast, too, so this comes before asking Slack who they are.
      if (seconds > 0) {
        noteOutcome('limited')
        const limit = `Bellhop takes ${config.ratePerMinute} requests a minute from each person.`
        return tell(say(`${topics[about].nothing} Try again in ${seconds} s: ${limit}`))
      }
      const asker = await personOf(house, sent)
      if (asker === undefined) return tell(stranger)
      log.debug(
        { name: requestNow()?.name, user: asker.userId, workspace: workspaceId },
        'who asks is known',
      )
      if (id !== undefined) await refuseIfReplayed(house, workspaceId, id)
      const moveTo = (to: Place) => {
        place = to
        return { asker, place }
      }
      await listener({ asker, place, answer, moveTo })
    })
  }

  app.command(/./, async ({ ack, body }) => {
    const readLine = find(routes.commands, body.command, body.user_id)
    if (readLine === undefined) return
    const { text, trigger_id: triggerId } = body
    const sent = sentAsCommand(body)
    const seconds = slack.charge(sent.place.userId)
    const { about, atOnce, isReadOnly, isKept, run } = lineOf(text, seconds, () =>
      readLine(house, text),
    )
    noteRequest({ about })
    if (atOnce !== undefined) {
      const blocks = atOnce.blocks.length === 0 ? undefined : [...atOnce.blocks]
      return ack({ response_type: 'ephemeral', text: atOnce.text, ...(blocks && { blocks }) })
    }
    const id = isReadOnly ? undefined : triggerId
    const work = () =>
      enter({ about, sent, id, seconds }, (asking) =>
        run(house, { ...asking, triggerId, id: triggerId }),
      )
    await (isKept ? ackOnceKept(ack, work) : ack().then(work))
  })

  app.action<BlockAction>(
    { type: 'block_actions', action_id: /./ },
    async ({ ack, body, action }) => {
      const route = find(routes.actions, action.action_id, body.user.id)
      if (route === undefined) return
      await ack()
      const { about, isReadOnly, run } = route
      const { trigger_id: triggerId, view } = body
      const value = valueIn(action)
      const mayRepeat = typeof isReadOnly === 'function' ? isReadOnly(value) : isReadOnly
      const id = mayRepeat ? undefined : `${triggerId} ${action.action_id}`
      await enter({ about, sent: sentBy(body), id }, (asking) =>
        run(house, { ...asking, triggerId, value, view }),
      )
    },
  )

  app.shortcut(/./, async ({ ack, body }) => {
    const route = find(routes.shortcuts, body.callback_id, body.user.id)
    if (route === undefined) return
    await ack()
    const { about, isReadOnly, run } = route
    const { trigger_id: triggerId } = body
    const message = body.type === 'message_action' ? body.message : {}
    const id = isReadOnly ? undefined : triggerId
    await enter({ about, sent: sentBy(body), id }, (asking) =>
      run(house, { ...asking, triggerId, message }),
    )
  })

  app.view(/./, async ({ ack, body, view }) => {
    if (body.type !== 'view_submission') return
    const route = find(routes.views, view.callback_id, body.user.id)
    if (route === undefined) return
    const { about, run } = route
    let isAcked = false
    const ackOnce = async (response?: ViewResponseAction) => {
      isAcked = true
      await ack(response)
    }
    // A form without inputs closes, and the sentence comes as a message.
    const tellInForm = async (sentence: string) => {
      const [input] = Object.keys(view.state.values)
      if (isAcked || input === undefined) return false
      await ackOnce({ response_action: 'errors', errors: { [input]: sentence } })
      return true
    }
    await enter({ about, sent: sentBy(body), tellInForm }, (asking) => {
      let claimed: Promise<void> | undefined
      const claim = () =>
        (claimed ??= refuseIfReplayed(house, asking.asker.workspaceId, body.trigger_id))
      return run(house, {
        ...asking,
        triggerId: body.trigger_id,
        viewId: view.id,
        privateMetadata: view.private_metadata,
        filled: readInputs(view.state.values, body.response_urls),
        claim,
        async correct(errors) {
          await ackOnce({ response_action: 'errors', errors: { ...errors } })
          noteOutcome('user-error')
        },
        async ack(shown) {
          await ackOnce(shown && { response_action: 'update', view: shown })
          await claim()
        },
        ackOnceKept: (work) => ackOnceKept(ackOnce, () => claim().then(work)),
      })
    })
    if (!isAcked) await ackOnce()
  })

  app.options<'block_suggestion'>(
    { type: 'block_suggestion', action_id: /./ },
    async ({ ack, body }) => {
      const suggest = find(routes.suggestions, body.action_id, body.user.id)
      if (suggest === undefined) return
      const sent = sentBy(body)
      /** Suggests nothing to strangers: a menu can't tell them why. */
      async function ask(): Promise<readonly PlainTextOption[]> {
        const asker = slack.isKnown() ? await personOf(house, sent) : undefined
        if (asker === undefined || suggest === undefined) return []
        noteSender(asker.workspaceId)
        const typed = body.value.slice(0, longestTyped).trim()
        return suggest(house, { asker, typed, privateMetadata: body.view?.private_metadata ?? '' })
      }
      await slack.work.run(async () => {
        const found = await inTime(ask(), suggestMs).catch((error: unknown) => {
          log.error({ err: error }, 'a request failed')
        })
        if (!found) noteOutcome('failed')
        await ack({ options: found?.slice(0, limits.selectOptions) ?? [] })
      })
    },
  )

  /** Reads mentions and direct messages to the bot. Drops edits, repeats, and what bots write. */
  async function written(
    _: House,
    happened: EventRequest<'app_mention'> | EventRequest<'message'>,
  ) {
    const { botUserId, event: message } = happened
    // Slack reports an edited mention like a new one.
    if ('edited' in message && message.edited !== undefined) return
    if ('subtype' in message && message.subtype !== undefined) {
      // Words with a file, and replies shown in the channel, are read; other subtypes (something was deleted, somebody
      // joined) are not.
      if (message.subtype !== 'file_share' && message.subtype !== 'thread_broadcast') return
    }
    const { user: userId, text = '', channel: channelId, ts, thread_ts: threadTs } = message
    const isBots = 'bot_id' in message && message.bot_id != null
    if (userId === undefined || isBots || [botUserId, 'USLACKBOT'].includes(userId)) return
    const isDirect = message.type === 'message' && message.channel_type === 'im'
    // Slack may send every message in a channel; only mentions are for the bot.
    if (message.type === 'message' && !isDirect) return
    // A mention does not say that it is in a group message, so it counts as one in a channel.
    const place = { userId, channelId, isDirect, threadTs }
    const meaning = () =>
      routes.meaningOf(house, { text, botUserId, isDirect, isInThread: threadTs !== undefined })
    const seconds = slack.charge(userId)
    const { about, run } = lineOf(text, seconds, meaning)
    const id = saidId({ channelId, ts })
    await enter({ about, sent: { place }, id, seconds }, (asking) =>
      run(house, { ...asking, id, triggerId: undefined }),
    )
  }

  const heard = [...routes.events, event('app_mention', written), event('message', written)]
  // Bolt asks each of its listeners about each request, commands too, so all events share one.
  app.event(/./, async ({ event: given }) => {
    await Promise.all(heard.map((hear) => hear(house, given)))
  })
}

/** Finds a route. Its name becomes the request’s name in the log, which so has only names of Bellhop’s own. */
function find<Route>(
  table: Readonly<Record<string, Route>>,
  name: string,
  user: string,
): Route | undefined {
  if (!Object.hasOwn(table, name)) return undefined
  noteRequest({ name, user })
  return table[name]
}

function valueIn(action: BlockAction['actions'][number]): string {
  if ('value' in action) return action.value ?? ''
  return ('selected_option' in action ? action.selected_option?.value : undefined) ?? ''
}

/** Reads a line, unless its writer asks too fast: while a long line is read, everybody else waits. */
function lineOf(text: string, seconds: number, read: () => LineRoute): LineRoute {
  if (seconds > 0) return { about: 'alert', run: async () => undefined }
  if (text.length <= longestLine) return read()
  noteOutcome('user-error')
  const most = longestLine.toLocaleString('en-US')
  const toDo = 'Shorten your text, or split it up.'
  return answering(
    'alert',
    say(`Nothing was done: Bellhop reads at most ${most} characters. ${toDo}`),
  )
}

const stranger = say(
  'Nothing was done: this Bellhop belongs to another organisation. Ask somebody in that organisation.',
)
