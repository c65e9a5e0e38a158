// Data of a message that is posted. Data only.
import type { Message } from '../model/model.ts'

type Needed = 'channelId' | 'authorId' | 'text' | 'via'

/** What Slack itself says of a message. */
type Minted = 'ts' | 'byBot' | 'isLost' | 'isDeleted' | 'editedTs' | 'unfurls' | 'pings'

export interface NewMessage extends Pick<Message, Needed>, Partial<Omit<Message, Needed | Minted>> {
  /** `link_names` or `parse: full`. */
  readonly parsesText?: boolean
}
