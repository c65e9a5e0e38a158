// What Slack sends, checked once at the border and reduced to what the features use.
// Source: docs.slack.dev/interactivity (slash commands, block_actions, shortcut, view_submission payloads).
import { z } from 'zod'

/** Plain signs: a database may refuse others, and a button's value takes no more than 2,000 characters. */
export const slackId = z.string().regex(/^[\x21-\x7e]{1,255}$/)
const triggerId = z.string().regex(/^[\x20-\x7e]{1,255}$/)
/** These are carried through a modal, which takes 3,000 characters in all. */
export const slackTs = z.string().regex(/^[\x21-\x7e]{1,50}$/)
const responseUrl = z.string().max(500).optional()
/** As long as Slack takes one: it may go into a button of ours again. */
const value = z.string().max(2_000)
const maybeText = z.string().nullish()

const user = z.object({
  id: slackId,
  name: maybeText,
  username: maybeText,
  team_id: maybeText,
})

const team = z.object({ id: maybeText, enterprise_id: maybeText }).nullish()
const enterprise = z.object({ id: maybeText }).nullish()

export const commandPayload = z.object({
  command: z.string(),
  text: z.string().default(''),
  user_id: slackId,
  user_name: maybeText,
  /** The sender's own: a command is delivered for their workspace. */
  team_id: maybeText,
  enterprise_id: maybeText,
  channel_id: slackId,
  channel_name: z.string().default(''),
  response_url: responseUrl,
  trigger_id: triggerId,
})

const chosen = z.object({ value })

const action = z.object({
  action_id: slackId,
  /** A button's. */
  value: value.optional(),
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

export const actionPayload = z.object({
  user,
  team,
  enterprise,
  actions: z.tuple([action], action),
  trigger_id: triggerId,
  response_url: responseUrl,
  channel: z.object({ id: slackId, name: z.string().default('') }).nullish(),
  container: z.object({ message_ts: slackTs.optional(), thread_ts: slackTs.optional() }).nullish(),
  view: z
    .object({ id: slackId, private_metadata: z.string().default(''), app_installed_team_id: maybeText })
    .nullish(),
})

/** A global shortcut; it knows no conversation. */
export const shortcutPayload = z.object({ user, team, enterprise, trigger_id: triggerId })

/** In a message's menu. The message is as whoever wrote it has made it: text, blocks, attachments, files. */
export const messageShortcutPayload = shortcutPayload.extend({
  response_url: responseUrl,
  channel: z.object({ id: slackId, name: z.string().default('') }),
  message: z.looseObject({ ts: slackTs, thread_ts: slackTs.optional() }),
})

/** One input's state, whatever kind of element it is. */
const inputState = z.object({
  value: z.string().nullish(),
  selected_option: chosen.nullish(),
  selected_options: z.array(chosen).nullish(),
  selected_conversation: z.string().nullish(),
})

export const submissionPayload = z.object({
  user,
  team,
  enterprise,
  trigger_id: triggerId.or(z.literal('')).default(''),
  view: z.object({
    id: slackId,
    private_metadata: z.string().default(''),
    app_installed_team_id: maybeText,
    state: z.object({ values: z.record(z.string(), z.record(z.string(), inputState)) }),
  }),
  response_urls: z.array(z.object({ response_url: z.string(), channel_id: slackId })).default([]),
})

export const eventPayload = z.object({
  /** Where it happened: in a shared channel, perhaps another organisation. */
  team_id: maybeText,
  enterprise_id: maybeText,
  /** The first is the installation that Slack delivers it for; there is none once the app is taken away. */
  authorizations: z.array(z.object({ team_id: maybeText, enterprise_id: maybeText })).nullish(),
  /** As the first authorization, where that names none. */
  context_team_id: maybeText,
  context_enterprise_id: maybeText,
  /** It happened in a channel that is shared with another organisation. */
  is_ext_shared_channel: z.boolean().nullish().catch(undefined),
  event: z.looseObject({ type: z.string() }),
})

type InputState = z.infer<typeof inputState>

/** What somebody filled into a modal. Each input has one block, and the block's id names it. */
export interface Filled {
  text(input: string): string
  choice(input: string): string | undefined
  choices(input: string): readonly string[]
  conversation(input: string): string | undefined
}

export function readInputs(values: Record<string, Record<string, InputState>>): Filled {
  const state = (input: string): InputState | undefined =>
    Object.hasOwn(values, input) ? Object.values(values[input] ?? {})[0] : undefined
  return {
    text: (input) => state(input)?.value?.trim() ?? '',
    choice: (input) => state(input)?.selected_option?.value,
    choices: (input) => (state(input)?.selected_options ?? []).map(({ value }) => value),
    conversation: (input) => state(input)?.selected_conversation ?? undefined,
  }
}
