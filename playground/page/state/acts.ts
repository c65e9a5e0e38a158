// Acts of a person on the page: the words that the server and the page share. Types only.

/** What a control belongs to. */
export type Place =
  | { readonly kind: 'message'; readonly channelId: string; readonly ts: string }
  | {
      readonly kind: 'unfurl'
      readonly channelId: string
      readonly ts: string
      readonly unfurlId: number
    }
  | { readonly kind: 'view'; readonly viewId: string }

/** A text, an option's value or an id; several in lists; null empties it. */
export type Chosen = string | readonly string[] | null

export interface ControlId {
  readonly blockId: string
  readonly actionId: string
}

/** What a person can do. POST to `/act` as `{ as: <name>, act }`; resolves when the bot has acked it. */
export type Act =
  | {
      readonly do: 'say'
      readonly channelId: string
      readonly text: string
      readonly threadTs?: string | undefined
    }
  /** @see optionValue The chosen entry, for overflow menus. */
  | ({
      readonly do: 'press'
      readonly at: Place
      readonly optionValue?: string | undefined
    } & ControlId)
  /** An input of the open modal; is sent to the bot when it dispatches. */
  | ({ readonly do: 'fill'; readonly viewId: string; readonly value: Chosen } & ControlId)
  /** Somebody types into a menu of the open modal that asks the bot. */
  | ({ readonly do: 'suggest'; readonly viewId: string; readonly typed: string } & ControlId)
  | { readonly do: 'submit'; readonly viewId: string }
  | { readonly do: 'close'; readonly viewId: string }
  | {
      readonly do: 'shortcut'
      readonly callbackId: string
      readonly message?: { readonly channelId: string; readonly ts: string } | undefined
    }
  | { readonly do: 'open-home' }
  /** @see channelId The channel that is looked at. */
  | {
      readonly do: 'trouble'
      readonly id: string
      readonly isOn: boolean
      readonly channelId?: string | undefined
    }
  /** Something happens to an alert at the stand-in service. */
  | { readonly do: 'event'; readonly ks: string; readonly what: WantedEvent }
  /** So many new alerts open at the stand-in service. @see rings Its webhook calls Bellhop, too. */
  | { readonly do: 'new-alerts'; readonly count: number; readonly rings?: boolean | undefined }
  /** Alerts, containers and their members become what they were at the start. */
  | { readonly do: 'reset' }

/** `next`: what comes next in the story of this alert. */
export type WantedEvent = 'next' | 'worse' | 'better' | 'comment' | 'assign' | 'close' | 'reopen'
