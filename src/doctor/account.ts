// Doctor’s looks at the asker’s own token: whether monitoring accepts it, and what it can do on the container used last.
import { MonitorError, orMonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import { containerInWords, containersOf } from '../names/containers.ts'
import type { SlackUser } from '../slack/person.ts'
import { inList } from '../slack/text/mrkdwn.ts'
import { amber, type Check, type CheckResult, green, red, untested } from './check.ts'

export function accountCheck(house: House, owner: SlackUser): Check {
  return {
    name: 'Your account',
    async run() {
      const token = await house.tokens.find(owner)
      if (token === undefined) return [trials.none]
      const trial = await orMonitorError(house.monitor.tryToken(token))
      if (trial instanceof MonitorError)
        return [trials[trial.code === 'refused' ? 'refused' : 'untested']]
      if (trial !== 'accepted') return [trials[trial]]
      return [trials.accepted, { name: 'Your rights', ...(await rightsFound(house, owner, token)) }]
    },
  }
}

/** Findings about a token, by what a read with it showed. */
const trials = {
  none: amber(
    'You haven’t connected an account, so Bellhop can’t look anything up for you.',
    'Type /alert connect.',
  ),
  accepted: green('Monitoring accepts your token.'),
  forbidden: amber(
    'Monitoring accepts your token, but it seems to lack API or READ.',
    'Ask somebody with CONTAINER_ACCESS on your alerts’ container to give you both.',
  ),
  refused: red(
    'Monitoring no longer accepts your token.',
    'Create a new token in monitoring, then type /alert connect.',
  ),
  untested: amber(
    'Bellhop couldn’t check your token: monitoring gave no usable answer.',
    'Try again in a few minutes.',
  ),
}

/**
 * Acts by the flag that each needs. All need API as well: without it, monitoring answers nothing.
 * Source: the service's documentation of each operation.
 */
const flagUses = [
  { flag: 'READ', what: ['read alerts'] },
  { flag: 'ALERT_CHANGE', what: ['comment', 'close'] },
  { flag: 'ALERT_ASSIGN', what: ['assign'] },
  { flag: 'CONTAINER_ACCESS', what: ['grant access'] },
] as const

async function rightsFound(house: House, owner: SlackUser, token: string): Promise<CheckResult> {
  const [used] = await containersOf(house, owner)
  if (used === undefined)
    return untested(
      'Not checked: you haven’t used a container yet.',
      'Look an alert up, then ask again.',
    )
  const where = containerInWords(house, owner, used.id)
  const own = await orMonitorError(house.monitor.ownPermissions(token, used.id))
  if (!('kind' in own) || own.kind !== 'known')
    return untested(`Bellhop couldn’t read what your token may do on ${where}.`, trying)
  const has = ({ flag }: (typeof flagUses)[number]) => own.permissions.includes(flag)
  const can = flagUses.filter(has).flatMap(({ what }) => what)
  const lacks = flagUses
    .filter((one) => !has(one))
    .map(({ flag, what }) => `${flag} (to ${inList(what)})`)
  const does = can.length === 0 ? 'can’t do anything that Bellhop does' : `can ${inList(can)}`
  const rest = lacks.length === 0 ? '' : ` It lacks ${inList(lacks)}.`
  return green(`On ${where}, your token ${does}.${rest}`)
}

const trying = 'Just try: a refusal names the flag that’s missing.'
