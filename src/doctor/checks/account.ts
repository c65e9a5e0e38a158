// Doctor’s looks at the asker’s own account: whether monitoring accepts their token, then what it can do on the container
// that they used last. Monitoring tells; nothing is changed.
import type { Tokens } from '../../account/tokens.ts'
import { MonitorError, type MonitorErrorCode } from '../../errors.ts'
import { impossibleKey, type Monitor } from '../../monitor/client.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { type Check, type Finding, listed } from './check.ts'

const name = 'Your account'
/** Of either. */
const ifSlow = 'The monitoring service or the database is slow. Try again in a minute.'

export function accountCheck(
  room: { readonly tokens: Pick<Tokens, 'find'>; readonly monitor: Pick<Monitor, 'readAlert'> },
  owner: SlackUser,
): Check {
  return {
    name,
    ifSlow,
    async run() {
      const token = await room.tokens.find(owner)
      if (token === undefined) return [notConnected]
      try {
        // Trying a token would take a busy service's answer for a yes.
        await room.monitor.readAlert(token, impossibleKey, 1)
        return [accepted]
      } catch (error) {
        if (!(error instanceof MonitorError)) throw error
        return [findings[error.code]]
      }
    },
  }
}

const notConnected: Finding = {
  name,
  state: 'amber',
  found: 'You haven’t connected an account, so Bellhop can’t look anything up for you.',
  mend: 'Type /alert connect.',
}

/** What a token may grant is shown by a grant alone, and a grant is not to be tried for a look. */
const accepted: Finding = {
  name,
  state: 'green',
  found:
    'Monitoring accepts your token. What it can do may differ by container: reading needs API and READ, granting needs API and CONTAINER_ACCESS. Granting wasn’t tested.',
}

const lacksRights: Finding = {
  name,
  state: 'amber',
  found: 'Monitoring accepts your token, but it seems to lack API or READ.',
  mend: 'Ask somebody with CONTAINER_ACCESS on your alerts’ container to give you both.',
}

const refused: Finding = {
  name,
  state: 'red',
  found: 'Monitoring no longer accepts your token.',
  mend: 'Create a new token in monitoring, then type /alert connect.',
}

const unknown: Finding = {
  name,
  state: 'amber',
  found: 'Bellhop couldn’t check your token: monitoring gave no usable answer.',
  mend: 'Try again in a few minutes.',
}

const findings: Readonly<Record<MonitorErrorCode, Finding>> = {
  'not-found': accepted,
  'bad-request': accepted,
  forbidden: lacksRights,
  refused,
  busy: unknown,
  unreachable: unknown,
  malformed: unknown,
}

const rightsName = 'Your rights'

/**
 * By the flag that they need beside API, without which monitoring doesn't answer at all.
 * Source: the service's documentation of each operation.
 */
const flagUses = [
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
    name: rightsName,
    ifSlow,
    async run() {
      const token = await room.tokens.find(owner)
      const containerId = token === undefined ? undefined : await room.lastContainer(owner)
      if (token === undefined || containerId === undefined) return []
      const where = (await room.containerWords(owner, containerId)) ?? `container ${containerId}`
      try {
        const own = await room.monitor.ownPermissions(token, containerId)
        // What the service lacks has a line of its own.
        if (own.kind === 'off') return []
        return [own.kind === 'known' ? rightsFinding(where, own.permissions) : rightsUnknown(where)]
      } catch (error) {
        if (!(error instanceof MonitorError)) throw error
        // Whether it accepts the token at all is told elsewhere.
        return error.code === 'refused' ? [] : [rightsUnknown(where)]
      }
    },
  }
}

/** @param where - The container, raw. */
function rightsFinding(where: string, permissions: readonly string[]): Finding {
  const has = ({ flag }: (typeof flagUses)[number]) => permissions.includes(flag)
  const can = flagUses.filter(has).flatMap(({ what }) => what)
  const lacks = flagUses.filter((one) => !has(one)).map(({ flag, what }) => `${flag} (to ${listed(what)})`)
  const found = [
    `On ${where}, your token ${can.length === 0 ? 'can’t do anything that Bellhop does' : `can ${listed(can)}`}.`,
    ...(lacks.length === 0 ? [] : [`It lacks ${listed(lacks)}.`]),
  ]
  return { name: rightsName, state: 'green', found: found.join(' ') }
}

/** Where monitoring doesn’t say. */
function rightsUnknown(where: string): Finding {
  return {
    name: rightsName,
    state: 'untested',
    found: `Monitoring doesn’t say what your token can do on ${where}.`,
    mend: 'Try it. If a flag is missing, Bellhop names it.',
  }
}
