// Doctor’s look at the asker’s own account: whether monitoring accepts their token, then what it can do on the container
// that they used last. Monitoring tells; nothing is changed.
import { MonitorError, type MonitorErrorCode } from '../errors.ts'
import type { House } from '../house.ts'
import { impossibleKey } from '../monitor/client.ts'
import { containerInWords, lastUsed } from '../names/containers.ts'
import type { SlackUser } from '../slack/ids.ts'
import { type Check, type Finding, listed } from './check.ts'

const name = 'Your account'

export function accountCheck(house: House, owner: SlackUser): Check {
  return {
    name,
    ifSlow: 'The monitoring service or the database is slow. Try again in a minute.',
    async run() {
      const token = await house.tokens.find(owner)
      if (token === undefined) return [notConnected]
      const tried = await tryToken(house, token)
      return tried === accepted ? [tried, ...(await rightsFindings(house, owner, token))] : [tried]
    },
  }
}

async function tryToken({ monitor }: House, token: string): Promise<Finding> {
  try {
    await monitor.readAlert(token, impossibleKey, 1)
    return accepted
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    return findings[error.code]
  }
}

const notConnected: Finding = {
  name,
  state: 'amber',
  found: 'You haven’t connected an account, so Bellhop can’t look anything up for you.',
  mend: 'Type /alert connect.',
}

/** What a token may grant is shown by a grant alone, and a grant is not to be tried for a look. */
const accepted: Finding = { name, state: 'green', found: 'Monitoring accepts your token.' }

const unknown: Finding = {
  name,
  state: 'amber',
  found: 'Bellhop couldn’t check your token: monitoring gave no usable answer.',
  mend: 'Try again in a few minutes.',
}

const findings: Readonly<Record<MonitorErrorCode, Finding>> = {
  'not-found': accepted,
  'bad-request': accepted,
  forbidden: {
    name,
    state: 'amber',
    found: 'Monitoring accepts your token, but it seems to lack API or READ.',
    mend: 'Ask somebody with CONTAINER_ACCESS on your alerts’ container to give you both.',
  },
  refused: {
    name,
    state: 'red',
    found: 'Monitoring no longer accepts your token.',
    mend: 'Create a new token in monitoring, then type /alert connect.',
  },
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

/** None where nothing says which container they use, or the service is not asked. */
async function rightsFindings(house: House, owner: SlackUser, token: string): Promise<readonly Finding[]> {
  const [containerId] = await lastUsed(house, owner)
  if (containerId === undefined) return []
  const where = containerInWords(house, owner, containerId) ?? `container ${containerId}`
  try {
    const own = await house.monitor.ownPermissions(token, containerId)
    if (own.kind === 'off') return []
    if (own.kind === 'known') return [rightsFinding(where, own.permissions)]
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
  }
  return [
    {
      name: rightsName,
      state: 'untested',
      found: `Monitoring doesn’t say what your token can do on ${where}.`,
      mend: 'Try it. If a flag is missing, Bellhop names it.',
    },
  ]
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
