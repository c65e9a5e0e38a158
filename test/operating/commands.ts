// Reads the table of commands (systemd, docker, Kubernetes), and runs lines of documents as somebody types them, with this
// machine's paths in place of the document's.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { ownFolder } from './tools.ts'

export type Names = Readonly<Record<string, string>>

/** Lines of docs/running.md that start a command, by where they are typed; doctor stands for each command. */
export function commandLines(): Names {
  const [, rest = ''] = readFileSync('docs/running.md', 'utf8').split('\n## Commands\n')
  const [section = ''] = rest.split('\n## ')
  const rows = [...section.matchAll(/^\| ([^|]+) \| `([^`]+)` \|$/gm)]
  return Object.fromEntries(rows.map(([, where, line = '']) => [where, line]))
}

export interface Machine {
  /** Bellhop’s own directory, in place of /var/lib/bellhop. */
  readonly home: string
  /** In place of /etc/bellhop/bellhop.env. */
  readonly settings: string
  /** Writes settings there. */
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
    settings: join(etc, 'bellhop.env'),
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
