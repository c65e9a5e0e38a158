// The wire alone: the three requests of a command one after the other, by nobody but the load. Nothing is faster.
import type { Books } from '../stand-ins/books.ts'
import { nextKey, personAt } from '../stand-ins/names.ts'
import { connect } from './connection.ts'
import { alertRequest, postRequest } from './requests.ts'
import { share } from './share.ts'

const portOf = ({ url }: { readonly url: string }) => Number(new URL(url).port)

/** Connections that are kept, as a bot's are. */
async function connectToBoth(stage: WireStage) {
  const service = await connect(portOf(stage.service))
  const slack = await connect(portOf(stage.slack))
  return {
    readAlert: (key: string, token: string) => service.ask(alertRequest(key, token)),
    async post(key: string, threadTs?: string): Promise<string | undefined> {
      const { body } = await slack.ask(postRequest(key, threadTs))
      return /"ts":"([^"]+)"/.exec(body)?.[1]
    },
    close(): void {
      service.close()
      slack.close()
    },
  }
}

interface WireStage {
  readonly books: Books
  readonly slack: { readonly url: string }
  readonly service: { readonly url: string }
}

export function createWire(stage: WireStage) {
  const { books } = stage
  return {
    /** As a bot's load has it. */
    async commands(count: number, atATime: number, spreadMs: number) {
      const asked = Array.from({ length: count }, (_, index) => ({
        key: nextKey(),
        ...personAt(index),
      }))
      const lastPostMs: number[] = []
      const connecting = Array.from({ length: atATime }, () => connectToBoth(stage))
      const connections = await Promise.all(connecting)
      await share(asked, connections, spreadMs, async ({ key, token }, { readAlert, post }) => {
        const told = books.expect(key, token)
        const from = performance.now()
        await readAlert(key, token)
        await post(key, await post(key))
        const { lastPostAt } = await told
        lastPostMs.push(lastPostAt - from)
      })
      for (const both of connections) both.close()
      books.check()
      return { lastPostMs }
    },
  }
}
