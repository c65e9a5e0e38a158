// The stage on which every part runs: the stand-ins in this process, and bots in processes beside it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cores } from './cores.ts'
import { createLoad, type Load } from './load/load.ts'
import { createWire } from './load/wire.ts'
import { imageRecipe, sourcesRecipe } from './servers/bellhop.ts'
import { type PeerName, peerRecipe } from './servers/peers.ts'
import { type Recipe, type Server, startServer } from './servers/server.ts'
import { openBooks } from './stand-ins/books.ts'
import { startServiceStandIn } from './stand-ins/service.ts'
import { startSlackStandIn } from './stand-ins/slack.ts'

/** A bot that is up, and the load on it. */
export interface Actor {
  readonly name: string
  readonly server: Server
  readonly load: Load
}

export type Stage = Awaited<ReturnType<typeof openStage>>

/**
 * @param options.cores - Where the bots run; undefined leaves that to the system.
 */
export async function openStage({ cores }: { readonly cores: Cores | undefined }) {
  const books = openBooks()
  const slack = await startSlackStandIn(books)
  const service = await startServiceStandIn(books)
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'))
  const addresses = { slackApiUrl: slack.apiUrl, monitorApiUrl: service.url }
  const stage = { books, slack, service }
  const running = new Set<Server>()

  async function start(recipe: Recipe): Promise<Actor> {
    const server = await startServer(recipe, cores, books.fail)
    running.add(server)
    return { name: recipe.name, server, load: createLoad(stage, server) }
  }

  return {
    ...stage,
    start,
    recipeOf: (name: PeerName, answer?: string): Recipe => peerRecipe(name, addresses, answer),
    fromSources: (): Promise<Recipe> => sourcesRecipe(folder, addresses),
    fromImage: (): Promise<Recipe> => imageRecipe(folder, addresses),
    /** Requests by nobody but the load. */
    wire: { name: 'the wire', load: createWire(stage) },
    /** Bellhop from its sources, its image, and a peer. */
    recipesBeside: async (name: PeerName): Promise<readonly Recipe[]> => [
      await sourcesRecipe(folder, addresses),
      await imageRecipe(folder, addresses),
      peerRecipe(name, addresses),
    ],
    /** Runs with answers that take their time, as from far away. */
    async slowly<T>(slackMs: number, serviceMs: number, work: () => Promise<T>): Promise<T> {
      slack.slow(slackMs)
      service.slow(serviceMs)
      try {
        return await work()
      } finally {
        slack.slow(0)
        service.slow(0)
      }
    },
    async end({ server }: Actor): Promise<void> {
      await server.stop()
      running.delete(server)
    },
    /** Ends what is left. */
    async close(): Promise<void> {
      await Promise.all([...running].map((server) => server.stop()))
      await Promise.all([slack.stop(), service.stop()])
      books.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
