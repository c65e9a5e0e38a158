import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { FolderReporter, folderOf } from './test/folder-reporter.ts'

const page = ['test/playground/page/**/*.test.ts', 'test/full/page/*.test.ts']
/** Long by nature: they start Bellhop, or one of its commands, as a process, or wait for troubles of the playground. */
const long = 'test/**/*.long.test.ts'
/** Longer: processes that are killed at each step, several on one database, thousands of requests. */
const full = 'test/full/**/*.test.ts'
/** What measures Bellhop, and the soak in small: a release runs them, and CI does not. */
const release = 'test/release/*.test.ts'

const every = {
  // Generous: a machine may be busy, and whatever waits goes on at once when it sees what it waits for.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // As long as people in the stand-in Slack wait to see something.
  expect: { poll: { timeout: 30_000 } },
  // Many tests start the bot as a process of its own.
  env: { NODE_COMPILE_CACHE: 'node_modules/.cache/bellhop-compiled' },
  // They wait more than they work. Measured on two cores: 155 s with three of them, 131 with four, 156 with six.
  maxWorkers: 4,
}

/** A worker keeps the bot's modules for the next file: loading them again for each costs more than half of the time. */
const together = { ...every, isolate: false }

/** Begin first: else the last worker is alone with one of them in the end. */
const longest = ['killed-at-each-step', 'hostile-payloads']

class FolderAfterFolder extends BaseSequencer {
  /** The largest folder first. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizes = Object.groupBy(files, ({ moduleId }) => folderOf(moduleId))
    const sizeOf = ({ moduleId }: TestSpecification) => sizes[folderOf(moduleId)]?.length ?? 0
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = longest.findIndex((name) => moduleId.endsWith(`test/full/${name}.test.ts`))
      return rank < 0 ? longest.length : rank
    }
    return (await super.sort(files)).toSorted(
      (one, other) =>
        rankOf(one) - rankOf(other) ||
        sizeOf(other) - sizeOf(one) ||
        folderOf(one.moduleId).localeCompare(folderOf(other.moduleId)),
    )
  }
}

export default defineConfig({
  test: {
    reporters: ['minimal', new FolderReporter()],
    sequence: { sequencer: FolderAfterFolder },
    projects: [
      {
        test: {
          ...together,
          name: 'bot',
          include: ['test/**/*.test.ts'],
          exclude: [long, full, release, ...page],
        },
      },
      { test: { ...together, name: 'long', include: [long] } },
      {
        test: {
          ...together,
          name: 'full',
          include: [full],
          exclude: page,
          globalSetup: 'test/full/built-bot.ts',
        },
      },
      { test: { ...together, name: 'page', include: page } },
      { test: { ...together, name: 'release', include: [release] } },
    ],
  },
})
