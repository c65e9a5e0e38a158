// Books of what the bots have printed and how they have ended: no error without a fault that explains it.
import { z } from 'zod'
import { type Book, type Open, wasWrong } from './book.ts'

const lineSchema = z.object({
  level: z.string(),
  time: z.string(),
  msg: z.string(),
})

const ofDatabase =
  /57P0[123]|"code":"(ECONNREFUSED|ECONNRESET|EPIPE|08...)"|Connection terminated|Query read timeout|timeout e|Client (has encountered|was closed|has already)/
const ofSlack =
  /slack_webapi|WebAPI|SlackBusyError|ResponseUrlError|response_url|expired_trigger_id|nobody could be told/

export function checkLog({ world, faults }: Open): Book {
  const wrong: string[] = []
  const explained = new Map<string, number>()
  const unexplained = new Map<string, string[]>()
  let warnings = 0
  for (const { bot, place, wanted, exitCode } of world.bots.lives) {
    if (wanted === undefined) wrong.push(`Bot ${place} has ended by itself, with ${exitCode}.`)
    if (wanted === 'stopped' && exitCode !== 0)
      wrong.push(`Bot ${place} was asked to stop and ended with ${exitCode}.`)
    for (const text of bot.output().split('\n')) {
      const line = read(text)
      if (line === undefined) {
        const isHalf = wanted === 'killed' && text.startsWith('{')
        if (text.trim() !== '' && !isHalf && !/Warning: |--trace-warnings/.test(text))
          wrong.push(`Bot ${place} printed: ${text.slice(0, 300)}`)
        continue
      }
      if (line.level === 'warn') warnings += 1
      if (line.level !== 'error') continue
      const at = Date.parse(line.time)
      const isExplained =
        (ofDatabase.test(text) && wasWrong(faults, 'database', at, 20_000)) ||
        (ofSlack.test(text) && wasWrong(faults, 'slack', at, 30_000))
      if (isExplained) explained.set(line.msg, (explained.get(line.msg) ?? 0) + 1)
      else unexplained.set(line.msg, [...(unexplained.get(line.msg) ?? []), text])
    }
  }
  for (const [words, lines] of unexplained) {
    wrong.push(`"${words}" was logged ${lines.length} times without a fault: ${lines[0]?.slice(0, 600)}`)
  }
  const errors = [...explained].map(([words, count]) => [`log, error: ${words}`, count])
  return { counted: { 'log: warnings': warnings, ...Object.fromEntries(errors) }, wrong }
}

function read(text: string): z.infer<typeof lineSchema> | undefined {
  try {
    return lineSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
