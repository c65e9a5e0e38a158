// Before the tests of the page: one Chromium for all of their files.
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { browserOptions } from '../../../playground/pictures/browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser can be reached. */
    readonly browserAt: string
  }
}

export async function setup(project: TestProject) {
  const server = await chromium.launchServer(await browserOptions())
  project.provide('browserAt', server.wsEndpoint())
  return () => server.close()
}
