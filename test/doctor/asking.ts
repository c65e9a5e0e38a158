// Asking doctor: its short answer, and the modals behind it.
import { expect } from 'vitest'
import type { SeenMessage, SeenModal } from '../../playground/slack/person/seen.ts'
import type { World } from '../world.ts'

const answered = /All \d+ checks passed|\d+ of \d+ checks needs? attention/
const checked = 'Checked '

type Asked = Pick<World, 'alice' | 'general'>

/** What doctor answers, once more where it was asked before. */
export async function asksDoctor(
  { alice, general }: Asked,
  person = alice,
  channel = general,
): Promise<SeenMessage> {
  const answers = () => person.messages(channel).filter(({ plain }) => answered.test(plain)).length
  const before = answers()
  await person.types('/alert doctor', channel)
  await expect.poll(answers, { timeout: 30_000 }).toBe(before + 1)
  return person.sees(answered, channel)
}

/** Every line, as *Details* shows it. */
export async function seesDetails(world: Asked, person = world.alice, channel = world.general) {
  return opens('Details', 'What Bellhop checked', checked, world, person, channel)
}

/** The whole text, as *Text for a ticket* shows it. */
export async function seesTicket(world: Asked, person = world.alice, channel = world.general) {
  return opens('Text for a ticket', 'Text for a ticket', 'Bellhop doctor, ', world, person, channel)
}

async function opens(
  button: string,
  title: string,
  words: string,
  world: Asked,
  person: Asked['alice'],
  channel: Asked['general'],
): Promise<SeenModal> {
  const told = await asksDoctor(world, person, channel)
  await person.presses(button, told)
  await expect.poll(() => person.modal?.plain, { timeout: 30_000 }).toContain(words)
  return person.seesModal(title)
}
