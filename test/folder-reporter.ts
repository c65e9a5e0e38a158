// Says how far the tests are: a line for each folder as it ends. Vitest’s own reporter prints what failed, in the end.
import { relative } from 'node:path'
import type { Reporter, TestModule, TestSpecification } from 'vitest/node'

interface Folder {
  /** Files that have not ended. */
  left: number
  passed: number
  failed: number
  /** When its first file began, in milliseconds. */
  beganAt: number | undefined
}

export class FolderReporter implements Reporter {
  readonly #folders = new Map<string, Folder>()
  #ended = 0

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    for (const { moduleId } of specifications) {
      const name = folderOf(moduleId)
      const folder = this.#folders.get(name) ?? {
        left: 0,
        passed: 0,
        failed: 0,
        beganAt: undefined,
      }
      this.#folders.set(name, { ...folder, left: folder.left + 1 })
    }
  }

  onTestModuleStart(module: TestModule): void {
    const folder = this.#folders.get(folderOf(module.moduleId))
    if (folder !== undefined) folder.beganAt ??= Date.now()
  }

  onTestModuleEnd(module: TestModule): void {
    const name = folderOf(module.moduleId)
    const folder = this.#folders.get(name)
    if (folder === undefined) return
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed') folder.passed += 1
      if (state === 'failed') folder.failed += 1
    }
    if (!module.ok() && folder.failed === 0) folder.failed += 1
    folder.left -= 1
    if (folder.left > 0) return
    this.#ended += 1
    console.log(lineOf(name, folder, `${this.#ended}/${this.#folders.size}`))
  }
}

/** The folder as a person names it, such as `test/grant`. */
export function folderOf(moduleId: string): string {
  return relative(process.cwd(), moduleId).split('/').slice(0, -1).slice(0, 2).join('/')
}

function lineOf(name: string, { passed, failed, beganAt }: Folder, count: string): string {
  const seconds = Math.round((Date.now() - (beganAt ?? Date.now())) / 1000)
  const tests = failed === 0 ? `${passed} passed` : `${failed} FAILED, ${passed} passed`
  return `${count.padStart(6)}  ${failed === 0 ? '✓' : '✗'} ${name.padEnd(22)} ${tests.padEnd(28)} ${seconds} s`
}
