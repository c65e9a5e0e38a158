// The gallery's lines of doctor about the audit channel, each after a line that could not be posted there.
import { createAuditChannel } from '../../../../src/audit/channel.ts'
import type { Entry as Recorded } from '../../../../src/audit/trail.ts'
import { postingCheck } from '../../../../src/doctor/checks/channel.ts'
import { createLog } from '../../../../src/log/log.ts'
import { ResponseUrlError, SlackBusyError } from '../../../../src/slack/client/refusals.ts'
import { type ChosenChannels, noChannels } from '../../../../src/slack/workspace/channels.ts'
import type { Entry } from '../stage/entry.ts'
import { asOf, onCallId } from '../stage/sample.ts'
import { found } from './doctor-lines.ts'

const recorded: Recorded = { workspaceId: 'T1', key: '', act: 'expire', outcome: 'done' }

/** @param post - How Slack takes the lines. @param lines - As many are told at once. */
async function afterLines(
  when: string,
  post: () => Promise<never>,
  { lines = 1, by = 'operator' }: { readonly lines?: number; readonly by?: ChosenChannels['by'] } = {},
): Promise<Entry> {
  const channel = createAuditChannel({
    channels: { by, of: async () => ({ audit: onCallId, approval: undefined }) },
    outbound: { in: () => ({ post }) },
    nameOf: async () => undefined,
    log: createLog({ level: 'silent' }),
    now: () => asOf * 1000,
    wait: async () => undefined,
  })
  for (let told = 0; told < lines; told += 1) channel.tell(recorded)
  await (lines === 1 ? channel.idle() : new Promise(setImmediate))
  const problem = channel.problem(recorded.workspaceId)
  return found(
    when,
    postingCheck({ by, of: async () => ({ ...noChannels, audit: onCallId }) }, recorded.workspaceId, {
      presence: async () => 'member',
      isShared: async () => false,
      auditProblem: () => problem,
    }),
  )
}

export const auditLines: readonly Entry[] = await Promise.all([
  afterLines('The bot isn’t in AUDIT_CHANNEL.', () => Promise.reject(new ResponseUrlError('not_in_channel'))),
  afterLines(
    'The bot isn’t in the audit channel that an admin chose.',
    () => Promise.reject(new ResponseUrlError('not_in_channel')),
    { by: 'admins' },
  ),
  afterLines('AUDIT_CHANNEL is archived.', () => Promise.reject(new ResponseUrlError('is_archived'))),
  found(
    'The bot isn’t in the approval channel that an admin chose.',
    postingCheck(
      { by: 'admins', of: async () => ({ audit: undefined, approval: onCallId }) },
      recorded.workspaceId,
      { presence: async () => 'hidden', isShared: async () => false, auditProblem: () => undefined },
    ),
  ),
  ...(await Promise.all(
    (['operator', 'admins'] as const).flatMap((by) =>
      (['audit', 'approval'] as const).map((which) =>
        found(
          `Another organisation can read the ${which} channel that ${by === 'operator' ? 'the operator' : 'an admin'} chose.`,
          postingCheck({ by, of: async () => ({ ...noChannels, [which]: onCallId }) }, recorded.workspaceId, {
            presence: async () => 'member',
            isShared: async () => true,
            auditProblem: () => undefined,
          }),
        ),
      ),
    ),
  )),
  afterLines('Slack didn’t accept the last line.', () => Promise.reject(new SlackBusyError(30))),
  afterLines('There are more lines than Slack accepts.', () => new Promise(() => undefined), { lines: 501 }),
])
