// Ids in a payload of Slack's that has not been read yet, for the log's line of its request. Pure.

type Body = Readonly<Record<string, unknown>>

export interface SenderIds {
  /** `U…` or `W…`. */
  readonly user: string | undefined
  /** `T…`; `E…` where Slack names an organisation alone. */
  readonly workspace: string | undefined
}

/** Ids of Slack's are capitals and digits; nothing else gets into the log. */
const plain = /^[A-Z][A-Z0-9]{1,30}$/

export function senderIdsIn(body: Body): SenderIds {
  const { event } = body
  return {
    // An event has somebody’s whole profile there when it is about them: they asked for nothing.
    user: idIn(body.user_id) ?? idIn(body.user) ?? (isBody(event) ? plainId(event.user) : undefined),
    workspace: idIn(body.team_id) ?? idIn(body.team) ?? idIn(body.enterprise_id) ?? idIn(body.enterprise),
  }
}

/** As it stands there, or in an object's `id`. */
function idIn(value: unknown): string | undefined {
  return plainId(isBody(value) ? value.id : value)
}

function plainId(value: unknown): string | undefined {
  return typeof value === 'string' && plain.test(value) ? value : undefined
}

function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null
}
