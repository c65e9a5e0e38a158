// Limits of Slack, as it documents them: those that Bellhop cuts to, and those that it never comes near.
import { limits as near } from '../../../src/slack/text/mrkdwn.ts'

export const limits = {
  ...near,
  /** Blocks in a message; in a modal or the Home tab. */
  messageBlocks: 50,
  viewBlocks: 100,
  /** Top-level `text` of a message. */
  messageText: 40_000,
  headerText: 150,
  sectionFields: 10,
  sectionFieldText: 2_000,
  contextElements: 10,
  actionsElements: 25,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  optionDescription: 75,
  checkboxOptions: 10,
  overflowOptions: 5,
  placeholder: 150,
  /** Label and hint of an input block. */
  inputLabel: 2_000,
  inputHint: 2_000,
  viewTitle: 24,
  viewButton: 24,
  privateMetadata: 3_000,
  /** `callback_id`, `block_id`, `action_id` and `external_id`. */
  id: 255,
} as const

/**
 * Characters of blocks as they are sent.
 *
 * More than Slack counts, which it does not say: texts, and something for each block and element. It refused messages
 * from some 13,200 on (slackapi/bolt-js#2509), and one of rich text whose texts alone were 11,341 (#2867).
 */
export function sizeOf(blocks: unknown): number {
  return JSON.stringify(blocks).length
}
