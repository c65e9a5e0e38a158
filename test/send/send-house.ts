// What sends need of a house, for what lies below Slack.
import { actKind } from '../../src/act/record.ts'
import { grantKind } from '../../src/grant/add.ts'
import type { House } from '../../src/house.ts'
import type { Monitor } from '../../src/monitor/client.ts'
import type { Kind } from '../../src/send/send.ts'

/** The service, of which sends ask no more than this; whatever they need and is left out must not be asked. */
export function onlyAsked(house: House, monitor: Partial<Monitor>): Monitor {
  return { ...house.monitor, ...asksNothing, ...monitor }
}

async function notAsked(): Promise<never> {
  throw new Error('the service must not be asked for this')
}

const asksNothing: Partial<Monitor> = {
  addUser: notAsked,
  assignAlert: notAsked,
  commentOnAlert: notAsked,
  closeAlert: notAsked,
  readAlert: notAsked,
  // Looked at after every doubt, where the service has it.
  usersOf: async () => ({ kind: 'off' }),
}

/** Every kind of write is made as in Bellhop; nothing is written down or told but where this does. */
export function kindsWith(how: Partial<Kind> = {}): House['kinds'] {
  const silent = { record: async () => undefined, news: async () => [], count: () => undefined }
  const adding: Kind = { perform: grantKind.perform, ...silent, ...how }
  const acting: Kind = { perform: actKind.perform, ...silent, ...how }
  return { 'add-user': adding, assign: acting, comment: acting, close: acting, approval: adding }
}
