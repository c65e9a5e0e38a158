// A connection on which a test writes what it likes, byte for byte.
import { once } from 'node:events'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'

export interface BareConnection {
  write(text: string): void
  stopsReading(): void
  readsOn(): void
  /** Goes away without a word. */
  leave(): void
  /** Resolves to all that was heard until now, once this is part of it; rejects when the connection ends without. */
  hears(text: string): Promise<string>
  /** Resolves to all that was heard, once the connection has ended. */
  readonly closed: Promise<string>
  isOpen(): boolean
}

/** @param url - Of the bot, or a port of this machine. */
export function openBareConnection(url: string | number): BareConnection {
  const port = typeof url === 'number' ? url : Number(new URL(url).port)
  const socket = connect(port, '127.0.0.1')
  // Who is refused may be reset.
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  let heard = ''
  let isOpen = true
  const looks = new Set<() => void>()
  const lookAgain = () => {
    for (const look of looks) look()
  }
  socket.on('data', (chunk) => {
    heard += chunk
    lookAgain()
  })
  const closed = once(socket, 'close').then(() => {
    isOpen = false
    lookAgain()
    return heard
  })
  return {
    write: (text) => void socket.write(text),
    stopsReading: () => void socket.pause(),
    readsOn: () => void socket.resume(),
    leave: () => void socket.destroy(),
    hears: (text) =>
      new Promise<string>((resolve, reject) => {
        const look = () => {
          if (heard.includes(text)) resolve(heard)
          else if (!isOpen) reject(new Error(`the connection ended; heard: ${heard || 'nothing'}`))
          else return
          looks.delete(look)
        }
        looks.add(look)
        look()
      }),
    closed,
    isOpen: () => isOpen,
  }
}
