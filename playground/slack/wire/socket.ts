// Socket Mode: tickets from apps.connections.open, connections, envelopes and their acks.
import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { isRecord, type Json, parseJson } from '../model/json.ts'
import type { Delivery } from '../model/model.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Slack pings; clients hang up when it stops. Real milliseconds. */
const PING_MS = 10_000
const GOODBYE_MS = 200

type Answered = Pick<Delivery, 'outcome' | 'status' | 'body'>

export class Socket {
  readonly #workspace: Pick<Workspace, 'appId' | 'changes'>
  readonly #tickets = new Set<string>()
  readonly #connections: WebSocket[] = []
  /** Those that were told to go: nothing new is sent there while there is another. */
  readonly #leaving = new WeakSet<WebSocket>()
  readonly #waiting = new Map<string, { from: WebSocket; answer: (answered: Answered) => void }>()
  readonly #server = new WebSocketServer({ noServer: true })
  readonly #pinger: NodeJS.Timeout
  #turn = 0
  #origin = ''
  /** True once a bot has been connected, even when it is not now. */
  wasConnected = false

  constructor(workspace: Pick<Workspace, 'appId' | 'changes'>) {
    this.#workspace = workspace
    this.#pinger = setInterval(() => {
      for (const connection of this.#connections) connection.ping()
    }, PING_MS)
    this.#pinger.unref()
  }

  get isConnected(): boolean {
    return this.#connections.length > 0
  }

  /** Connections that the bot may be sent something on. */
  get connections(): number {
    return this.#connections.length
  }

  /** An address to connect to, once. */
  newUrl(): string {
    const ticket = randomUUID()
    this.#tickets.add(ticket)
    return `${this.#origin.replace('http', 'ws')}/link/?ticket=${ticket}`
  }

  /** Takes WebSocket connections on this server. */
  listen(server: Server, origin: string): void {
    this.#origin = origin
    server.on('upgrade', (request, stream, head) => {
      const ticket = new URL(request.url ?? '/', origin).searchParams.get('ticket') ?? ''
      // A ticket is good for one connection.
      if (!this.#tickets.delete(ticket)) {
        stream.end('HTTP/1.1 404 Not Found\r\n\r\n')
        return
      }
      this.#server.handleUpgrade(request, stream, head, (connection) =>
        this.#welcome(connection, stream),
      )
    })
  }

  /** Resolves when a bot is connected. @param limitMs - Real milliseconds, default 30 s. */
  async connected(limitMs = 30_000): Promise<void> {
    await this.#workspace.changes.until(
      () => (this.isConnected ? true : undefined),
      limitMs,
      () => 'No bot connected by Socket Mode',
    )
  }

  /** Cuts every connection without a word, as a network would. */
  drop(): void {
    for (const connection of [...this.#server.clients]) {
      this.#leave(connection)
      connection.terminate()
    }
  }

  /** Says on the oldest connection that it will end, as Slack does every few hours. @param reason - Slack's word for why. */
  refresh(reason: 'refresh_requested' | 'warning' | 'link_disabled' = 'refresh_requested'): void {
    const [oldest] = this.#connections
    if (oldest === undefined) return
    this.#leaving.add(oldest)
    oldest.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'playground' } }))
  }

  /** Says goodbye to every connection; cuts those that do not answer within a moment. */
  async close(): Promise<void> {
    clearInterval(this.#pinger)
    const cut = setTimeout(() => this.drop(), GOODBYE_MS)
    const open = [...this.#server.clients]
    await Promise.all(
      open.map((connection) => {
        const closed = new Promise((resolve) => connection.once('close', resolve))
        if (connection.readyState === WebSocket.OPEN) connection.close(1000)
        return closed
      }),
    )
    clearTimeout(cut)
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  /** Sends one envelope to one of the connections and waits for its ack. */
  send(
    type: string,
    payload: Json,
    ackMs: number,
    retry?: { readonly number: number; readonly reason: string },
  ): Promise<Answered> {
    const staying = this.#connections.filter((one) => !this.#leaving.has(one))
    const among = staying.length > 0 ? staying : this.#connections
    const connection = among[this.#turn++ % Math.max(1, among.length)]
    if (!connection) return Promise.resolve({ outcome: 'unreachable', status: undefined, body: '' })
    const id = randomUUID()
    return new Promise((resolve) => {
      const answer = (answered: Answered) => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        resolve(answered)
      }
      const timer = setTimeout(
        () => answer({ outcome: 'timeout', status: undefined, body: '' }),
        ackMs,
      )
      this.#waiting.set(id, { from: connection, answer })
      connection.send(
        JSON.stringify({
          envelope_id: id,
          type,
          payload,
          accepts_response_payload: type !== 'events_api',
          ...(type === 'events_api'
            ? { retry_attempt: retry?.number ?? 0, retry_reason: retry?.reason ?? '' }
            : {}),
        }),
      )
    })
  }

  #welcome(connection: WebSocket, stream: Duplex): void {
    // Slack answers a close frame and leaves the TCP connection open: ending it is the bot's. Nothing comes on it any more.
    stream.end = () => {
      this.#leave(connection)
      return stream
    }
    stream.once('end', () => stream.destroy())
    this.#connections.push(connection)
    this.wasConnected = true
    connection.on('message', (data) => this.#read(String(data)))
    connection.on('error', () => connection.terminate())
    connection.on('close', () => this.#leave(connection))
    connection.send(
      JSON.stringify({
        type: 'hello',
        num_connections: this.#connections.length,
        debug_info: { host: 'playground', approximate_connection_time: 18_060 },
        connection_info: { app_id: this.#workspace.appId },
      }),
    )
    this.#workspace.changes.tell({ kind: 'socket', isConnected: true })
  }

  #leave(connection: WebSocket): void {
    const index = this.#connections.indexOf(connection)
    if (index < 0) return
    this.#connections.splice(index, 1)
    for (const { from, answer } of [...this.#waiting.values()]) {
      if (from === connection) answer({ outcome: 'unreachable', status: undefined, body: '' })
    }
    this.#workspace.changes.tell({ kind: 'socket', isConnected: this.isConnected })
  }

  #read(data: string): void {
    const message = parseJson(data)
    if (!isRecord(message) || typeof message.envelope_id !== 'string') return
    const { payload } = message
    const isEmpty = !isRecord(payload) || Object.keys(payload).length === 0
    const body = isEmpty ? '' : JSON.stringify(payload)
    this.#waiting.get(message.envelope_id)?.answer({ outcome: 'acked', status: 200, body })
  }
}
