// Connections of the server: at most so many, and which of them ends when it is full and somebody comes.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Connections {
  /**
   * Takes a new one in. When that is one too many, the one ends for it whose other side has let the bot wait longest: for
   * a request, for the rest of one, or to take an answer. Only when the bot is at work for all of them does the newcomer
   * end itself.
   */
  add(socket: Socket): void
  /** A request has come whose headers are whole. @param onEnd - Called when its answer is sent, or the connection ended. */
  begin(response: ServerResponse, onEnd: () => void): void
  /** Answers under way. */
  responses(): readonly ServerResponse[]
  /** Ends all that have sent no whole request that is still to be answered. */
  endHalfSent(): void
}

export function createConnections(most: number): Connections {
  // With their answers under way, in the order in which something began or ended on them last. All that wait for the
  // other side stand in one row: with idle ones before half-sent requests, whoever holds all others with such requests
  // would have each newcomer end the newcomer before it, which is idle until it has said what it wants.
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

/** A whole request waits for its answer to be made. An answer that is made and not taken is the other side's affair. */
function isAtWork(responses: Iterable<ServerResponse>): boolean {
  for (const { req, writableEnded } of responses) if (req.complete && !writableEnded) return true
  return false
}

/** A whole request waits for its answer to be sent. */
function isWhole(responses: Iterable<ServerResponse>): boolean {
  for (const { req } of responses) if (req.complete) return true
  return false
}
