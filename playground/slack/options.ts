// Options of a stand-in workspace: how strict, who is in it, which channels.

export interface SlackOptions {
  /** Milliseconds since 1970: message times, lives of trigger ids and response urls. Default: the real clock. */
  readonly clock?: () => number
  /** Milliseconds: what signatures are dated with. Default: the real clock. */
  readonly signingClock?: () => number
  /** Default: a few common ones. Worlds of the whole bot pass those of its manifest. Changes with each install. */
  botScopes?: readonly string[]
  /** What the app is subscribed to, as its manifest names it: `app_mention`, `message.im`. Default: all it may have. */
  readonly botEvents?: readonly string[]
  /** Domains whose links the app is told of, as in the manifest. Default none. */
  readonly unfurlDomains?: readonly string[]
  /** Whether the manifest names an address for what menus ask while somebody types. Default true. */
  readonly hasOptionsUrl?: boolean
  /** Scopes of the app-level token. Default `connections:write`. */
  readonly appScopes?: readonly string[]
  /** Whether people and bot can write to each other directly. Default true. */
  readonly messagesTab?: boolean
  /** Whether it keeps its documented limits and answers 429 to what is too much. Default true. */
  readonly keepsLimits?: boolean
  /** An org-wide install on Enterprise Grid. Default false. */
  readonly isGrid?: boolean
  /** Of a Grid organisation: whether the app is installed for all of it, or in this workspace alone. Default true. */
  readonly isOrgWide?: boolean
  /** How long Slack waits for an ack, in real milliseconds. Default 3000. */
  readonly ackMs?: number
  /** The name of the workspace. Default Playground. */
  readonly teamName?: string
  /** Port of the Web API. Default: any free one. */
  readonly port?: number
  /** Where the bot reaches it, when something stands in between: `https://slack.test`. Default: where it is. */
  readonly origin?: string
}

export interface NewPerson {
  readonly name: string
  readonly realName?: string
  /** Default: the name. */
  readonly displayName?: string
  readonly email?: string
  /** IANA name of the time zone. Default Europe/Amsterdam. */
  readonly tz?: string
  readonly isBot?: boolean
  readonly isGuest?: boolean
  readonly isAdmin?: boolean
  readonly isDeleted?: boolean
  /** A foreign organisation's, for people in Slack Connect channels. */
  readonly teamId?: string
  /** That team is no foreign one, but another workspace of the same Grid organisation. */
  readonly isOfOrganisation?: boolean
}

export interface NewChannel {
  readonly name: string
  readonly isPrivate?: boolean
  readonly isShared?: boolean
  /** People or their names. Default: everybody of this workspace so far. */
  readonly members?: readonly ({ readonly id: string } | string)[]
  /** Whether the bot was invited. Default false. */
  readonly botIsMember?: boolean
}
