// Room of names: who and what the numbers of the monitoring service stand for, as each person's own token shows it.
import type { Monitor } from '../monitor/client.ts'

export interface NamesRoom {
  readonly monitor: Pick<Monitor, 'usersOf' | 'containerOf' | 'openAlertsIn' | 'containerOfToken'>
}
