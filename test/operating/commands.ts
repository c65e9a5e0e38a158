// Reads the shelf's table of commands (systemd, docker, Kubernetes), and runs lines of the shelf as somebody types them, with
// this machine's paths in place of the document's.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { onShelf, ownFolder } from './tools.ts'

export type Names = Readonly<Record<string, string>>

export interface CommandRow {
  readonly name: string
  readonly systemd: string
  readonly docker: string
  /** Undefined where another program does it there. */
  readonly kubectl: string | undefined
}

const codeOf = (cell: string | undefined) => /^`([^`]+)`$/.exec(cell ?? '')?.[1]

/** @param page - The page with the table; of it, the section “Commands” where it has one. */
export function commandRows(page = onShelf('README.md')): readonly CommandRow[] {
  const [before = '', section = before] = page.split('\n## Commands\n')
  const [table = ''] = section.split('\n## ')
  return table.split('\n').flatMap((line) => {
    const [, name = '', systemd, docker, kubectl] = line.split('|').map((cell) => cell.trim())
    const [first, second] = [codeOf(systemd), codeOf(docker)]
    if (first === undefined || second === undefined) return []
    return [{ name, systemd: first, docker: second, kubectl: codeOf(kubectl) }]
  })
}

export interface Machine {
  /** Bellhop’s own directory, in place of /var/lib/bellhop. */
  readonly home: string
  /** In place of /etc/bellhop/bellhop.env: writes settings there. */
  set(settings: Names): void
  /** In place of /var/backups. */
  readonly copies: string
  /** The line with these paths, as the only user that there is here. */
  typed(line: string): string
}

/** Directories for one test. */
export function openMachine(): Machine {
  const [home, etc, copies] = [ownFolder(), ownFolder(), ownFolder()]
  const names: Names = {
    '/var/lib/bellhop': home,
    '/etc/bellhop/bellhop.env': join(etc, 'bellhop.env'),
    '/opt/bellhop': resolve('.'),
    '/var/backups': copies,
    'runuser -u bellhop -- ': '',
    ' --owner=bellhop --group=bellhop': '',
  }
  return {
    home,
    copies,
    set: (settings) =>
      writeFileSync(
        join(etc, 'bellhop.env'),
        Object.entries(settings)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
      ),
    typed: (line) => replaced(line, names),
  }
}

export function replaced(line: string, names: Names): string {
  return Object.entries(names).reduce((one, [from, to]) => one.replaceAll(from, to), line)
}

/** Runs lines in a shell, anywhere but in the repository. Not synchronously: stand-ins may be in this process. */
export async function run(typed: string, env: Names = {}) {
  const node = dirname(process.execPath)
  const { NODE_COMPILE_CACHE } = process.env
  const child = spawn('sh', ['-ec', typed], {
    cwd: '/',
    env: {
      // From here, wherever the lines lead.
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: resolve(NODE_COMPILE_CACHE) }),
      ...env,
      PATH: `${node}:${env.PATH ?? process.env.PATH}`,
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [printed, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { exitCode: await ended, said: printed + complaint }
}
