// The sentence for each of Slack's refusals that somebody can do something about, by Slack's own word. Pure.
// Source: docs.slack.dev/reference/methods, errors of views.open, chat.postMessage, chat.postEphemeral, chat.update.

interface Told {
  /** What happened, why, and what to do. Plain text. */
  readonly sentence: string
  /** The operator finds more in the log. */
  readonly needsReference?: true
}

const elsewhere = 'Ask in another channel, or in your direct messages with Bellhop.'

const unreadable: Told = {
  sentence: 'Slack can’t show Bellhop’s answer here, and trying again won’t help. Tell whoever runs Bellhop.',
  needsReference: true,
}

const table: Readonly<Record<string, Told>> = {
  expired_trigger_id: {
    sentence: 'The form couldn’t open within the three seconds that Slack allows. Try again.',
  },
  exchanged_trigger_id: {
    sentence: 'Slack says this press or command already opened a form. If you don’t see one, try again.',
  },
  invalid_trigger_id: {
    sentence: 'The form couldn’t open: Slack no longer accepts that press or command. Try again.',
    needsReference: true,
  },
  push_limit_reached: {
    sentence: 'The form couldn’t open: three are already open on top of each other. Close one and try again.',
  },
  restricted_action: {
    sentence:
      'Bellhop can’t post: a setting of your workspace limits who can post there. Ask a workspace admin to allow it, or ask Bellhop in another channel.',
  },
  restricted_action_read_only_channel: {
    sentence: `Bellhop can’t post there: the channel is read-only. ${elsewhere}`,
  },
  restricted_action_thread_only_channel: {
    sentence: `Bellhop can’t post there: the channel only allows replies in threads. Mention @Bellhop in a thread.`,
  },
  restricted_action_non_threadable_channel: {
    sentence: `Bellhop can’t reply there: threads are off in the channel. ${elsewhere}`,
  },
  restricted_action_thread_locked: {
    sentence: 'Bellhop can’t reply there: an admin has locked the thread. Ask in the channel instead.',
  },
  cannot_reply_to_message: {
    sentence:
      'Bellhop can’t reply there: Slack doesn’t allow replies to that message. Ask in the channel instead.',
  },
  is_archived: { sentence: `Bellhop can’t post there: the channel is archived. ${elsewhere}` },
  ekm_access_denied: {
    sentence: `Bellhop can’t post there: your admins have turned off messages in the channel. ${elsewhere}`,
  },
  messages_tab_disabled: {
    sentence:
      'Bellhop can’t write to you directly: its Messages tab is off in Slack. Ask whoever runs Bellhop to turn it on.',
  },
  message_limit_exceeded: {
    sentence:
      'Bellhop can’t post: your workspace has reached Slack’s limit for messages. Ask a workspace admin about it.',
  },
  app_access_restricted: {
    sentence: 'Slack doesn’t let you use Bellhop in this workspace. Ask a workspace admin to allow it.',
  },
  missing_scope: {
    sentence:
      'Bellhop is missing a permission in Slack for this. Ask an admin to type /alert doctor, which names it.',
    needsReference: true,
  },
  invalid_arguments: unreadable,
  invalid_blocks: unreadable,
  invalid_blocks_format: unreadable,
  msg_blocks_too_long: unreadable,
  view_too_large: unreadable,
}

/** Slack's words that have a sentence of their own. */
export const toldRefusals: readonly string[] = Object.keys(table)

/**
 * Undefined for a word that nobody can do anything about but to try again.
 * @param reference - Stands in the log too.
 */
export function refusalSentence(refusal: string, reference: string): string | undefined {
  const told = Object.hasOwn(table, refusal) ? table[refusal] : undefined
  if (told === undefined) return undefined
  return told.needsReference ? `${told.sentence} (Reference ${reference})` : told.sentence
}

/** True when a form did not open, so that nothing was begun. */
export function isFormUnopened(refusal: string): boolean {
  return refusal.endsWith('_trigger_id') || refusal === 'push_limit_reached'
}
