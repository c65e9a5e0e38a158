// Nobody’s text can keep the bot busy: whatever goes through a text takes steps in proportion to its length, up to the
// longest texts that Slack passes on, of every awkward kind.
import { describe } from 'vitest'
import { growsAsTheTextDoes } from '../../hostile/growth.ts'

describe('a text of up to 40,000 characters, whatever they are,', () =>
  growsAsTheTextDoes(2_500, 10_000, 40_000))
