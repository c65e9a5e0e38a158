// Slack's payloads, checked once at the border and reduced to what the features use.
// Slack must get its ack, so only what a request means nothing without can make it unreadable: who sent it, for whose
// installation, where, and what they pressed. All else that is odd counts as absent, and an input of a form is looked at
// when it is read.
// Source: docs.slack.dev/interactivity (slash commands, block_actions, shortcut, view_submission payloads).
import { hash } from 'node:crypto'
import { z } from 'zod'
import { slackId, slackTs } from '../ids.ts'
import { limits } from '../text/limits.ts'
import { lineOf } from '../text/typed.ts'

/** Given back to Slack as it came; `''` where there is none. Its client can't write half a letter into an address. */
const givenBack = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/)
  .catch('')
/** Opens a modal; without one, Slack opens nothing. */
const triggerId = givenBack
const responseUrl = z.string().max(500).optional().catch(undefined)
/** As long as Slack takes one: it may go into a button of ours again. */
const value = z.string().max(2_000)
const maybeId = z.string().nullish()
/** Shown, or looked at in passing. */
const maybeText = z.string().nullish().catch(undefined)
const textOrEmpty = z.string().catch('')
/** Longer than Slack takes, it is none of ours. */
const privateMetadata = z.string().max(limits.privateMetadata).catch('')
/** What somebody typed: refused by whoever reads it when it is too long. */
const line = textOrEmpty.transform(lineOf)
const maybeTs = slackTs.optional().catch(undefined)

/** Inputs by block id, then action id. Of a form without inputs Slack sends `[]`. Source: slack-go/slack#943. */
const inputs = z
  .tuple([])
  .transform(() => ({}))
  .or(z.record(z.string(), z.unknown()))

const viewState = z
  .object({ values: inputs.nullish() })
  .nullish()
  .transform((state) => state?.values ?? {})

const user = z.object({
  id: slackId,
  name: maybeText,
  username: maybeText,
  team_id: maybeId,
})

const team = z.object({ id: maybeId, enterprise_id: maybeId }).nullish()
const enterprise = z.object({ id: maybeId }).nullish()

/** What tells a command or a press from the next one, however often it is sent; `''` when nothing does. */
export function knownBy(request: {
  readonly trigger_id: string
  readonly response_url?: string | undefined
  readonly actions?: readonly [{ readonly action_ts?: number | undefined }, ...unknown[]]
}): string {
  const { trigger_id, response_url, actions } = request
  if (trigger_id !== '') return trigger_id
  // It is kept, and a response URL lets anybody post.
  if (response_url) return hash('sha256', response_url, 'base64url')
  return String(actions?.[0].action_ts ?? '')
}

/** Without it, the same request sent again would be done again. */
const canBeToldApart = (request: Parameters<typeof knownBy>[0]) => knownBy(request) !== ''

export const commandPayload = z
  .object({
    command: z.string(),
    text: line,
    user_id: slackId,
    user_name: maybeText,
    /** The sender's own: a command is delivered for their workspace. */
    team_id: maybeId,
    enterprise_id: maybeId,
    channel_id: slackId,
    channel_name: textOrEmpty,
    response_url: responseUrl,
    trigger_id: triggerId,
  })
  .refine(canBeToldApart)

export const chosen = z.object({ value })

const action = z.object({
  action_id: slackId,
  /** A button's. */
  value: value.nullish(),
  /** What was chosen in a menu. */
  selected_option: chosen.nullish(),
  /** Seconds, as Slack writes them; in milliseconds here. */
  action_ts: z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .transform((seconds) => Number(seconds) * 1000)
    .optional()
    .catch(undefined),
})

/** `name` is null or absent for some kinds of conversation. */
const channel = z.object({ id: slackId, name: textOrEmpty })

export const actionPayload = z
  .object({
    user,
    team,
    enterprise,
    /** One press brings one. */
    actions: z.tuple([action], z.unknown()),
    trigger_id: triggerId,
    response_url: responseUrl,
    channel: channel.nullish(),
    /** The one that its button is in; of messages that only one person sees, Slack does not say. */
    message: z
      .object({ edited: z.object({ ts: slackTs }) })
      .nullish()
      .catch(undefined),
    container: z.object({ message_ts: maybeTs, thread_ts: maybeTs }).nullish().catch(undefined),
    view: z
      .object({
        id: slackId,
        private_metadata: privateMetadata,
        /** Another one after each change of the view. */
        hash: givenBack,
        /** What stands in its inputs when something in it is pressed. */
        state: viewState.catch({}),
        blocks: z.array(z.looseObject({ type: z.string(), block_id: z.string() })).catch([]),
      })
      .nullish(),
  })
  .refine(canBeToldApart)

/** A global shortcut; it knows no conversation. */
export const shortcutPayload = z.object({ user, team, enterprise, trigger_id: triggerId })

/** In a message's menu. The message is as whoever wrote it has made it: text, blocks, attachments, files. */
export const messageShortcutPayload = shortcutPayload
  .extend({
    response_url: responseUrl,
    channel,
    message: z.looseObject({ ts: slackTs, thread_ts: maybeTs }),
  })
  .refine(canBeToldApart)

/** As much of what somebody types into a menu as is looked at; it is looked at with each key. */
const longestTyped = 200

/** Of a menu that suggests while somebody types; it opens nothing, and Slack gives no trigger for it. */
export const suggestionPayload = z.object({
  user,
  team,
  enterprise,
  action_id: slackId,
  value: textOrEmpty.transform((typed) => typed.slice(0, longestTyped).trim()),
  /** Of a menu in a message. */
  channel: channel.nullish(),
  view: z.object({ private_metadata: textOrEmpty }).nullish(),
})

/** Leads to the conversation that was chosen in an input. */
const chosenUrl = z.object({
  block_id: z.string(),
  action_id: z.string(),
  channel_id: slackId,
  response_url: z.string().max(500),
})

export type ChosenUrl = z.infer<typeof chosenUrl>

export const submissionPayload = z.object({
  user,
  team,
  enterprise,
  trigger_id: triggerId,
  view: z.object({
    id: slackId,
    private_metadata: privateMetadata,
    /** Another one after each change of the view. */
    hash: givenBack,
    state: viewState,
  }),
  response_urls: z
    .array(z.unknown())
    .catch([])
    .transform((urls) => urls.flatMap((one) => chosenUrl.safeParse(one).data ?? [])),
})

/** What somebody writes to the bot, in a mention or in their direct message with it. */
export const writtenPayload = z.object({
  type: z.enum(['app_mention', 'message']),
  ts: slackTs,
  user: slackId,
  text: line,
  channel: slackId,
  channel_type: z.string().nullish().catch(undefined),
  thread_ts: slackTs.nullish(),
  bot_id: z.null().optional(),
  // A picture beside the words, or a reply shown in the channel as well.
  subtype: z.enum(['file_share', 'thread_broadcast']).nullish(),
  // What is changed later is not said again: Slack tells of it as of a new mention.
  edited: z.null().optional(),
})

export const eventPayload = z.object({ event: z.looseObject({ type: z.string() }) })
