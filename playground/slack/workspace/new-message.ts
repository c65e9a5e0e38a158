// Data of a message that is posted or edited. Data only.
import type { Json } from '../model/json.ts'
import type { Message } from '../model/model.ts'

export interface NewMessage {
  readonly channelId: string
  readonly authorId: string
  readonly text: string
  readonly blocks?: readonly Json[]
  readonly threadTs?: string | undefined
  readonly ephemeralFor?: string | undefined
  readonly broadcast?: boolean
  readonly unfurlLinks?: boolean | undefined
  readonly unfurlMedia?: boolean | undefined
  /** `link_names` or `parse: full`. */
  readonly parsesText?: boolean
  readonly attachments?: readonly Json[] | undefined
  readonly files?: readonly Json[] | undefined
  readonly app?: Message['app']
  readonly postedAs?: string | undefined
  readonly clientMsgId?: string | undefined
  readonly via: string
}

export interface MessageEdit {
  readonly text?: string | undefined
  readonly blocks?: readonly Json[] | undefined
}
