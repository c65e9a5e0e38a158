// Single lines of doctor in the gallery: each is found by the check that finds it.
import { type Check, type Finding, runChecks } from '../../../../src/doctor/checks/check.ts'
import { lineText } from '../../../../src/doctor/render.ts'
import { createLog } from '../../../../src/log/log.ts'
import { type Message, sayMarked } from '../../../../src/slack/outbound/message.ts'
import { asLine, type Entry, forYou } from '../stage/entry.ts'

const silentLog = createLog({ level: 'silent' })

/** How a check that looks at it finds this. */
export function findingsOf(checks: readonly Check[]): Promise<readonly Finding[]> {
  return runChecks(checks, { log: silentLog })
}

/** Longer than any of ours. */
const longest = 500

/** As doctor's message and *Details* tell this. */
function lineOf(finding: Finding): Message {
  return sayMarked(lineText(finding, longest))
}

/** @param when - Names the entry as well. */
export function line(when: string, finding: Finding | undefined): Entry {
  if (finding === undefined) throw new TypeError(`nothing is found when ${when}`)
  return asLine(forYou(`Doctor’s line: ${when}`, when, lineOf(finding)))
}

/** What a check finds first, or under this name. */
export async function found(when: string, check: Check, name?: string): Promise<Entry> {
  const findings = await findingsOf([check])
  return line(when, name === undefined ? findings[0] : findings.find((one) => one.name === name))
}

/** One block of a message in words. @param at - Which, counted from the end when negative. */
export function part(name: string, when: string, { text, blocks }: Message, at: number): Entry {
  const block = blocks.at(at)
  if (block === undefined) throw new TypeError(`${name}: there is no such block`)
  return asLine(forYou(name, when, { text, blocks: [block] }))
}
