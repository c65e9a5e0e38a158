// Prints the figures of 5,000 live cards over a simulated hour, as many in each workspace as Slack's limits allow.
import { simulate } from './simulated.ts'

const watches = 1_000
const workspaces = 5
const minutes = 60

export async function printSimulated(): Promise<void> {
  console.log(
    `${watches} live cards in each of ${workspaces} workspaces, ${minutes} simulated minutes, an interval of 30 s`,
  )
  const begun = performance.now()
  const simulated = await simulate({
    watches,
    workspaces,
    minutes,
    onProgress: ({ minute, heapMb }) => {
      if (minute % 10 === 0) console.log(`  minute ${minute}: heap ${heapMb} MB`)
    },
  })
  const { looks, reads, interval, meanOfCard, cpuMsPerLook, updates, replies, actions } = simulated
  const { refused, toldAfterSeconds, promisedMinutes, mostOverdue } = simulated
  const round = (value: number) => Math.round(value * 100) / 100
  console.log(
    `looks        ${looks} (${reads} reads), in ${round((performance.now() - begun) / 1000)} real seconds`,
  )
  console.log(
    `interval     mean ${round(interval.mean)} s, p1 ${round(interval.p1)}, p99 ${round(interval.p99)}, longest ${round(interval.longest)}`,
  )
  console.log(`of one card  mean from ${round(meanOfCard.shortest)} to ${round(meanOfCard.longest)} s`)
  console.log(`CPU a look   ${round(cpuMsPerLook)} ms, updates and replies included`)
  console.log(`in Slack     ${updates} updates, ${replies} replies, ${refused} refused for their rate`)
  console.log(
    `actions      ${actions.happened} happened, ${actions.toldOnce} were told once, 99 % within ${round(toldAfterSeconds)} s of being read`,
  )
  console.log(`cards        good for ${promisedMinutes} minutes, at most ${mostOverdue} not drawn in time`)
}
