// Doctor's look at what the asker's own token can do, on the container that they used last, for an alert or a grant:
// monitoring tells, nothing is tried. For whoever asks, with their token.
// Source of the flags: the service's documentation of each operation.
import type { Tokens } from '../../account/tokens.ts'
import { MonitorError } from '../../errors.ts'
import type { Monitor } from '../../monitor/client.ts'
import type { SlackUser } from '../../slack/ids.ts'
import type { Check, Finding } from './check.ts'

const name = 'Your rights'

/** By the flag that they need beside API, without which monitoring doesn't answer at all. */
const uses = [
  { flag: 'READ', what: ['read alerts'] },
  { flag: 'ALERT_CHANGE', what: ['comment', 'close'] },
  { flag: 'ALERT_ASSIGN', what: ['assign'] },
  { flag: 'CONTAINER_ACCESS', what: ['grant access'] },
] as const

/** @param room.lastContainer - Of this person, with their token; undefined where none is known. */
export function rightsCheck(
  room: {
    readonly tokens: Pick<Tokens, 'find'>
    readonly monitor: Pick<Monitor, 'ownPermissions'>
    readonly lastContainer: (owner: SlackUser) => Promise<number | undefined>
    /** “Customer 1 (12)”, where this token has shown the name. Raw. */
    readonly containerWords: (owner: SlackUser, containerId: number) => Promise<string | undefined>
  },
  owner: SlackUser,
): Check {
  return {
    name,
    ifSlow: 'The monitoring service or the database is slow. Try again in a minute.',
    async run() {
      const token = await room.tokens.find(owner)
      const containerId = token === undefined ? undefined : await room.lastContainer(owner)
      if (token === undefined || containerId === undefined) return []
      const where = (await room.containerWords(owner, containerId)) ?? `container ${containerId}`
      try {
        const own = await room.monitor.ownPermissions(token, containerId)
        // What the service lacks has a line of its own.
        if (own.kind === 'off') return []
        return [own.kind === 'known' ? told(where, own.permissions) : untold(where)]
      } catch (error) {
        if (!(error instanceof MonitorError)) throw error
        // Whether it accepts the token at all is told elsewhere.
        return error.code === 'refused' ? [] : [untold(where)]
      }
    },
  }
}

/** @param where - The container, raw. */
function told(where: string, permissions: readonly string[]): Finding {
  const has = ({ flag }: (typeof uses)[number]) => permissions.includes(flag)
  const can = uses.filter(has).flatMap(({ what }) => what)
  const lacks = uses.filter((one) => !has(one)).map(({ flag, what }) => `${flag} (to ${inWords(what)})`)
  const found = [
    `On ${where}, your token ${can.length === 0 ? 'can’t do anything that Bellhop does' : `can ${inWords(can)}`}.`,
    ...(lacks.length === 0 ? [] : [`It lacks ${inWords(lacks)}.`]),
  ]
  return { name, state: 'green', found: found.join(' ') }
}

/** That says nothing of what it can do. */
function untold(where: string): Finding {
  return {
    name,
    state: 'untested',
    found: `Monitoring doesn’t say what your token can do on ${where}.`,
    mend: 'Try it. If a flag is missing, Bellhop names it.',
  }
}

function inWords(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
