// A request and its reply, as the operations take and give them. No sockets here.

export interface Reply {
  readonly status: number
  /** A string goes out as plain text, anything else as JSON; undefined: no body. */
  readonly body: unknown
}

export interface Asked {
  readonly method: string
  /** As it came, without the query. */
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  /** Bearer token; undefined when there was none. */
  readonly token: string | undefined
  readonly contentType: string | undefined
  readonly text: string
}

/** Undefined, which fits no schema, when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
