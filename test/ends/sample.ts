// An end of access, as it is kept.
import type { End } from '../../src/ends/states.ts'

export const runningEnd: End = {
  workspaceId: 'T1',
  id: 'r1.1',
  containerId: 12,
  whom: { email: 'dave@example.com' },
  flags: ['READ'],
  since: { READ: 0 },
  member: false,
  wasThere: false,
  giverId: 'U1',
  askerId: 'U1',
  endsAt: 0,
  tries: 0,
  standingMessages: [],
  dueAt: 0,
  holder: '',
  heldUntil: 0,
}
