// Reads a Dockerfile and a .dockerignore as far as ours go. What it does not know, it refuses.
import { z } from 'zod'

export interface Copy {
  /** The stage it comes from; undefined: the directory it is built in. */
  readonly from: string | undefined
  readonly sources: readonly string[]
  readonly to: string
}

export interface Stage {
  /** As in `node:24.21-slim`. */
  readonly image: string
  readonly copies: readonly Copy[]
  /** Each a command without a shell. */
  readonly runs: readonly (readonly string[])[]
  readonly env: Readonly<Record<string, string>>
  /** Its working directory. */
  readonly folder: string | undefined
  readonly user: string | undefined
  readonly volumes: readonly string[]
  readonly ports: readonly string[]
  readonly healthcheck?: readonly string[]
  readonly command: readonly string[] | undefined
}

const empty = {
  copies: [],
  runs: [],
  env: {},
  folder: undefined,
  user: undefined,
  volumes: [],
  ports: [],
}

/** @throws Error for a form with a shell, which takes signals and quotes for itself. */
function execForm(text: string): readonly string[] {
  if (!text.startsWith('[')) throw new Error(`not in the form without a shell: ${text}`)
  return z.array(z.string()).min(1).parse(JSON.parse(text))
}

function readCopy(text: string): Copy {
  const words = text.split(/\s+/)
  const [, from] = /^--from=(\S+)/.exec(text) ?? []
  const paths = words.filter((word) => !word.startsWith('--'))
  const to = paths.pop()
  if (to === undefined || paths.length === 0) throw new Error(`a COPY of nothing: ${text}`)
  return { from, sources: paths, to }
}

/** @throws Error for what it does not know. */
export function readDockerfile(text: string): readonly Stage[] {
  const stages: Stage[] = []
  const args = new Map<string, string>()
  const filled = (image: string) =>
    image.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = args.get(name)
      if (value === undefined) throw new Error(`there is no ARG ${name} before the first FROM`)
      return value
    })
  const add = (change: (stage: Stage) => Partial<Stage>) => {
    const stage = stages.pop()
    if (stage === undefined) throw new Error('the first instruction is not FROM')
    stages.push({ ...stage, ...change(stage) })
  }
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    const [, instruction = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? []
    if (line.trim() === '' || line.startsWith('#')) continue
    if (instruction === 'ARG' && stages.length === 0) {
      const [, name = '', value = ''] = /^(\w+)=(\S+)$/.exec(rest) ?? []
      args.set(name, value)
    } else if (instruction === 'FROM') {
      const [image = ''] = rest.split(/\s+/)
      stages.push({ ...empty, image: filled(image), command: undefined })
    } else if (instruction === 'COPY')
      add(({ copies }) => ({ copies: [...copies, readCopy(rest)] }))
    else if (instruction === 'RUN') add(({ runs }) => ({ runs: [...runs, execForm(rest)] }))
    else if (instruction === 'ENV') {
      const [, name = '', value = ''] = /^(\w+)=(\S*)$/.exec(rest) ?? []
      add(({ env }) => ({ env: { ...env, [name]: value } }))
    } else if (instruction === 'USER') add(() => ({ user: rest }))
    else if (instruction === 'VOLUME') add(({ volumes }) => ({ volumes: [...volumes, rest] }))
    else if (instruction === 'EXPOSE') add(({ ports }) => ({ ports: [...ports, rest] }))
    else if (instruction === 'CMD') add(() => ({ command: execForm(rest) }))
    else if (instruction === 'HEALTHCHECK')
      add(() => ({ healthcheck: execForm(rest.replace(/^(--\S+\s+)*CMD\s+/, '')) }))
    else if (instruction === 'WORKDIR') add(() => ({ folder: rest }))
    else throw new Error(`what is ${instruction}?`)
  }
  return stages
}

/** Whether a path is in what an image is built from. @param ignore - The text of .dockerignore; its last word counts. */
export function isInContext(path: string, ignore: string): boolean {
  const parts = path.split('/')
  const itAndAbove = parts.map((_, at) => parts.slice(0, at + 1).join('/'))
  let isIn = true
  for (const line of ignore.split('\n')) {
    const pattern = line.trim().replace(/^!/, '')
    if (pattern === '' || pattern.startsWith('#')) continue
    const regex = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`)
    if (itAndAbove.some((one) => regex.test(one))) isIn = line.trim().startsWith('!')
  }
  return isIn
}
