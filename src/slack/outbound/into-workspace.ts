// Delivery into whichever workspace a place is of.

import { type PerWorkspace, perWorkspace } from '../per-workspace.ts'
import { createDeliveryIn, type Delivery, type Place } from './delivery.ts'
import type { Outbound } from './outbound.ts'

export function createDelivery(outbound: PerWorkspace<Outbound>): Delivery {
  const deliveries = perWorkspace((workspaceId) => createDeliveryIn(outbound.in(workspaceId)))
  const into = ({ workspaceId }: Place) => deliveries.in(workspaceId)
  return {
    privately: (place, message, how) => into(place).privately(place, message, how),
    tell: (place, story, to, why) => into(place).tell(place, story, to, why),
    share: (place, channelId, story) => into(place).share(place, channelId, story),
    announce: (place, channelId, message) => into(place).announce(place, channelId, message),
  }
}
