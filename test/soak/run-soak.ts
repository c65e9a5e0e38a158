// `npm run soak`: prints the figures. `npm run soak -- <watches> <minutes>`.
import { soak } from './soak.ts'

const [watches = 5_000, minutes = 60] = process.argv.slice(2).map(Number)
console.log(`${watches} watches, ${minutes} simulated minutes, an interval of 30 s`)
const begun = performance.now()
const soaked = await soak({
  watches,
  minutes,
  onProgress: ({ minute, heapMb }) => {
    if (minute % 10 === 0) console.log(`  minute ${minute}: heap ${heapMb} MB`)
  },
})
const { looks, reads, interval, meanOfCard, cpuMsPerLook, updates, replies, actions } = soaked
const round = (value: number) => Math.round(value * 100) / 100
console.log(
  `looks        ${looks} (${reads} reads), in ${round((performance.now() - begun) / 1000)} real seconds`,
)
console.log(
  `interval     mean ${round(interval.mean)} s, p1 ${round(interval.p1)}, p99 ${round(interval.p99)}, longest ${round(interval.longest)}`,
)
console.log(`of one card  mean from ${round(meanOfCard.shortest)} to ${round(meanOfCard.longest)} s`)
console.log(`CPU a look   ${round(cpuMsPerLook)} ms, updates and replies included`)
console.log(`in Slack     ${updates} updates, ${replies} replies`)
console.log(`actions      ${actions.happened} happened, ${actions.toldOnce} were told once`)
