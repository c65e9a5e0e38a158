// The whole playground and its page's server, talked to over HTTP as a browser would, without one.
import { type IncomingHttpHeaders, request } from 'node:http'
import { afterAll, beforeAll } from 'vitest'
import { openPlayground, type Playground } from '../../playground/open-playground.ts'
import type { Act } from '../../playground/page/state/acts.ts'
import type { Happening, PageState } from '../../playground/page/state/state.ts'
import { startBotHere } from './bot-here.ts'

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface PageWorld {
  readonly playground: Playground
  /** One request, its path sent as it stands. */
  ask(
    path: string,
    how?: { method?: string; headers?: Readonly<Record<string, string>>; body?: unknown },
  ): Promise<Answered>
  /** What a person does on the page. @returns The page's complaint, if any. */
  act(as: string, act: Act): Promise<string | undefined>
  /** Types into #on-call. */
  types(as: string, text: string): Promise<void>
  /** The page of this person, as it comes in. */
  live(as: string): Promise<LivePage>
}

export interface LivePage {
  /** As sent last. */
  readonly state: PageState
  /** By the first words of their headings, the newest of these; in full once it is over. */
  over(what: string): Promise<Happening>
  /** Resolves once the page shows it. */
  shows<T>(look: (state: PageState, happenings: readonly Happening[]) => T | undefined): Promise<T>
  /** Every byte of these events so far. */
  sent(event: 'state' | 'happening'): string
}

/** One playground for all tests of a file. */
export function pageWorld(): PageWorld {
  let opened: Playground | undefined
  const playground = () => {
    if (!opened) throw new Error('The playground is not open yet')
    return opened
  }
  const cut = new AbortController()
  beforeAll(async () => {
    opened = await openPlayground({ port: 0, startBot: startBotHere })
  })
  afterAll(async () => {
    cut.abort()
    await opened?.stop()
  })

  const ask: PageWorld['ask'] = (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const { hostname, port } = new URL(playground().url)
      request(
        { hostname, port, path, method, headers: { ...type, ...headers }, agent: false },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part
          })
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
          )
        },
      )
        .on('error', reject)
        .end(body === undefined ? undefined : JSON.stringify(body))
    })

  const act: PageWorld['act'] = async (as, doing) => {
    const { body } = await ask('/act', { method: 'POST', body: { as, act: doing } })
    const answered: unknown = JSON.parse(body)
    const said = typeof answered === 'object' && answered !== null && 'error' in answered
    return said ? String(answered.error) : undefined
  }

  const channelId = () => {
    const channel = [...playground().slack.workspace.channels.values()].find(
      ({ name }) => name === 'on-call',
    )
    if (!channel) throw new Error('No #on-call')
    return channel.id
  }

  return {
    get playground() {
      return playground()
    },
    ask,
    act,
    async types(as, text) {
      const complaint = await act(as, { do: 'say', channelId: channelId(), text })
      if (complaint !== undefined) throw new Error(complaint)
    },
    live: (as) => listen(`${playground().url}/live?as=${as}`, cut.signal),
  }
}

async function listen(url: string, signal: AbortSignal): Promise<LivePage> {
  const response = await fetch(url, { signal })
  const sent = { state: '', happening: '' }
  const happenings = new Map<number, Happening>()
  let state: PageState | undefined
  const looks = new Set<() => void>()

  function take(source: string): void {
    const [, event] = /^event: (.*)$/m.exec(source) ?? []
    const [, data = ''] = /^data: (.*)$/m.exec(source) ?? []
    if (event === 'state') state = JSON.parse(data)
    else if (event === 'views' && state) state = { ...state, ...JSON.parse(data) }
    else if (event === 'happening') {
      const happening: Happening = JSON.parse(data)
      happenings.set(happening.id, happening)
    } else return
    sent[event === 'happening' ? event : 'state'] += `${data}\n`
    for (const look of [...looks]) look()
  }

  async function read(): Promise<void> {
    let rest = ''
    for await (const part of (response.body ?? new ReadableStream()).pipeThrough(
      new TextDecoderStream(),
    )) {
      const parts = (rest + part).split('\n\n')
      rest = parts.pop() ?? ''
      parts.forEach(take)
    }
  }
  // Ends with the test file, by being cut.
  read().catch(() => {})

  const shows: LivePage['shows'] = (look) =>
    new Promise((resolve, reject) => {
      const again = () => {
        const found = state && look(state, [...happenings.values()])
        if (found === undefined || found === false) return
        looks.delete(again)
        clearTimeout(timer)
        resolve(found)
      }
      const timer = setTimeout(() => {
        looks.delete(again)
        const said = state?.messages.map(({ author, text }) => `${author}: ${text}`) ?? []
        const all = [...happenings.values()].flatMap(({ what, steps }) => [
          what,
          ...steps.map(({ title }) => title),
        ])
        reject(new Error(`The page does not show it, but:\n${[...said, '', ...all].join('\n')}`))
      }, 12_000)
      looks.add(again)
      again()
    })

  await shows(() => true)
  return {
    get state() {
      if (!state) throw new Error('The page got no state')
      return state
    },
    over: (what) =>
      shows((_, all) => {
        const found = all.findLast((one) => one.what.startsWith(what))
        return found?.isUnderWay === false ? found : undefined
      }),
    shows,
    sent: (event) => sent[event],
  }
}
