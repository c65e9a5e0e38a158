// Connections of the server: at most so many, and which one ends when the server is full and another comes.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Connections {
  /**
   * Takes in a new one. If that is one too many, it ends the one that has kept the bot waiting longest: for a request,
   * for the rest of one, or for an answer to be taken. If the bot is working for all of them, the new one ends.
   */
  add(socket: Socket): void
  /** Notes a request with complete headers. @param onEnd - Called when its answer is sent or the connection ends. */
  begin(response: ServerResponse, onEnd: () => void): void
  /** Answers under way. */
  responses(): readonly ServerResponse[]
  /** Ends all without a complete request that is still to be answered. */
  endHalfSent(): void
}

export function createConnections(most: number): Connections {
  // With their answers under way, in the order of their last beginning or end. All that wait for the other side are in
  // one queue. If idle ones ended before half-sent requests, a stranger could hold all others with such requests: each
  // new connection, idle until its request comes, would be ended by the next.
  const connections = new Map<Socket, Set<ServerResponse>>()

  function putLast(socket: Socket, responses: Set<ServerResponse>): void {
    connections.delete(socket)
    connections.set(socket, responses)
  }

  function longestWaiting(): Socket | undefined {
    for (const [socket, responses] of connections) if (!isAtWork(responses)) return socket
    return undefined
  }

  function letGo(socket: Socket): void {
    connections.delete(socket)
    socket.destroy()
  }

  return {
    add(socket) {
      if (connections.size >= most) {
        const longest = longestWaiting()
        if (longest === undefined) return void socket.destroy()
        letGo(longest)
      }
      putLast(socket, new Set())
      socket.once('close', () => connections.delete(socket))
    },
    begin(response, onEnd) {
      const { socket } = response.req
      const responses = connections.get(socket)
      if (responses !== undefined) putLast(socket, responses.add(response))
      response.once('close', () => {
        if (responses?.delete(response) && connections.has(socket)) putLast(socket, responses)
        onEnd()
      })
    },
    responses: () => [...connections.values()].flatMap((responses) => [...responses]),
    endHalfSent() {
      for (const [socket, responses] of [...connections]) if (!isWhole(responses)) letGo(socket)
    },
  }
}

/** Whether a complete request waits for its answer. An answer that nobody takes doesn't count. */
function isAtWork(responses: Iterable<ServerResponse>): boolean {
  for (const { req, writableEnded } of responses) if (req.complete && !writableEnded) return true
  return false
}

/** Whether a complete request waits for its answer to be sent. */
function isWhole(responses: Iterable<ServerResponse>): boolean {
  for (const { req } of responses) if (req.complete) return true
  return false
}
