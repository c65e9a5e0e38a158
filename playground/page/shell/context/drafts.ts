// Drafts: the line in each message box, by whose it is and where.

export type Drafts = Map<string, string>

/** Names a box: each person has one for each channel and each thread. */
export function draftKey(personId: string, channelId: string, threadTs?: string): string {
  return [personId, channelId, threadTs ?? ''].join(' ')
}
