// Doctor's look at the asker's own token, as far as it can be seen without changing anything.
import type { Tokens } from '../../account/tokens.ts'
import { MonitorError, type MonitorErrorCode } from '../../errors.ts'
import { impossibleKey, type Monitor } from '../../monitor/client.ts'
import type { SlackUser } from '../../slack/ids.ts'
import type { Check, Finding } from './check.ts'

const name = 'Your account'

export function accountCheck(
  room: { readonly tokens: Pick<Tokens, 'find'>; readonly monitor: Pick<Monitor, 'readAlert'> },
  owner: SlackUser,
): Check {
  return {
    name,
    ifSlow: 'The monitoring service or the database is slow; look at those lines.',
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
  found: 'You are not connected, so Bellhop can read nothing for you.',
  mend: 'Type /alert connect.',
}

/** What a token may grant is shown by a grant alone, and a grant is not to be tried for a look. */
const accepted: Finding = {
  name,
  state: 'green',
  found:
    'The service accepts your token. What it may do differs by container and shows in use: reading needs API and READ; granting needs API and CONTAINER_ACCESS, which was not tried.',
}

const lacksRights: Finding = {
  name,
  state: 'amber',
  found: 'The service knows your token, but it lacks API or READ, as far as can be seen.',
  mend: 'Ask somebody with CONTAINER_ACCESS to add both where your alerts are.',
}

const refused: Finding = {
  name,
  state: 'red',
  found: 'Your token is no longer accepted by the service.',
  mend: 'Make a new one there, and type /alert connect.',
}

const unknown: Finding = {
  name,
  state: 'amber',
  found: 'Your token could not be tried, as the service gives no answer that can be read.',
  mend: 'When its line is green again, ask again.',
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
