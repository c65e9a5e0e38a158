// Limits of Slack. Counted as Slack counts: characters after `&`, `<` and `>` are escaped.
// Source: Slack's Block Kit and views reference (docs.slack.dev/reference/block-kit, /reference/views).

export const limits = {
  /** Blocks in a message; in a modal or the Home tab. */
  messageBlocks: 50,
  viewBlocks: 100,
  /** All blocks of a message together, counted by `sizeOf`: fewer than Slack was seen to refuse. */
  messageSize: 12_000,
  /** Top-level `text` of a message. */
  messageText: 40_000,
  headerText: 150,
  sectionText: 3_000,
  sectionFields: 10,
  sectionFieldText: 2_000,
  contextElements: 10,
  actionsElements: 25,
  buttonText: 75,
  buttonValue: 2_000,
  buttonUrl: 3_000,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  optionText: 75,
  optionDescription: 75,
  optionValue: 150,
  checkboxOptions: 10,
  selectOptions: 100,
  /** Older references ask for two; slackapi/python-slack-sdk#1218 tells of one that passed. */
  leastOverflowOptions: 2,
  overflowOptions: 5,
  placeholder: 150,
  /** Label and hint of an input block. */
  inputLabel: 2_000,
  inputHint: 2_000,
  plainTextInput: 3_000,
  viewTitle: 24,
  viewButton: 24,
  privateMetadata: 3_000,
  /** `callback_id`, `block_id`, `action_id` and `external_id`. */
  id: 255,
  /** Views stacked in one modal. */
  viewStack: 3,
} as const
