// The gallery's lines of doctor about AUDIT_CHANNEL, each after a line that could not be posted there.
import { createAuditChannel } from '../../../audit/channel.ts'
import type { Entry as Recorded } from '../../../audit/entry.ts'
import { createLog } from '../../../log.ts'
import { ResponseUrlError, SlackBusyError } from '../../../slack/refusals.ts'
import { line } from './doctor-lines.ts'
import type { Entry } from './entry.ts'
import { asOf, onCallId } from './sample.ts'

const recorded: Recorded = { workspaceId: 'T1', key: '', act: 'expire', outcome: 'done' }

/** @param post - How Slack takes the lines. @param lines - As many are told at once. */
async function afterLines(when: string, post: () => Promise<never>, lines = 1): Promise<Entry> {
  const channel = createAuditChannel({
    channelId: onCallId,
    outbound: { in: () => ({ post }) },
    nameOf: async () => undefined,
    log: createLog({ level: 'silent' }),
    now: () => asOf * 1000,
    wait: async () => undefined,
  })
  for (let told = 0; told < lines; told += 1) channel.tell(recorded)
  if (lines === 1) await channel.idle()
  const found = channel.problem()
  return line(when, found === undefined ? undefined : { name: 'Audit channel', state: 'red', found })
}

export const auditLines: readonly Entry[] = await Promise.all([
  afterLines('The bot is not in AUDIT_CHANNEL.', () =>
    Promise.reject(new ResponseUrlError('not_in_channel')),
  ),
  afterLines('AUDIT_CHANNEL is archived.', () => Promise.reject(new ResponseUrlError('is_archived'))),
  afterLines('Slack did not take the last line.', () => Promise.reject(new SlackBusyError(30))),
  afterLines('There are more lines than Slack takes.', () => new Promise(() => undefined), 501),
])
