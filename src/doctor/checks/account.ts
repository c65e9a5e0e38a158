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
    ifSlow: 'The monitoring service or the database is slow. Try again in a minute.',
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
