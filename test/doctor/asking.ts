// Asking doctor in Slack.
import { expect } from 'vitest'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import type { World } from '../world.ts'

const answered = /All \d+ checks passed|\d+ of \d+ checks needs? attention/

/** What doctor answers, once more where it was asked before. */
export async function asksDoctor(
  { alice, general }: Pick<World, 'alice' | 'general'>,
  person = alice,
  channel = general,
): Promise<SeenMessage> {
  const answers = () => person.messages(channel).filter(({ plain }) => answered.test(plain)).length
  const before = answers()
  await person.types('/alert doctor', channel)
  await expect.poll(answers, { timeout: 8_000 }).toBe(before + 1)
  return person.sees(answered, channel)
}
