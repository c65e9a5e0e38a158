// The longest texts that Slack passes on, of every awkward kind: as `test/hostile/growth.test.ts`, which is quicker.
import { describe } from 'vitest'
import { growsAsTheTextDoes } from '../hostile/growth.ts'

describe('a text of 40,000 characters, whatever they are,', () => growsAsTheTextDoes([10_000, 40_000]))
