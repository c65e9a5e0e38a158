// What runs of Bolt, out of its own files: its index also loads Express, and receivers for places where Bellhop is not.
import { createRequire } from 'node:module'
import type * as bolt from '@slack/bolt'

// Imported, their defaults would be one thing to Node and another to what runs the tests.
const require = createRequire(import.meta.url)
const app: {
  readonly default: typeof bolt.App
  readonly LogLevel: typeof bolt.LogLevel
} = require('@slack/bolt/dist/App.js')
const receiver: {
  readonly default: typeof bolt.SocketModeReceiver
} = require('@slack/bolt/dist/receivers/SocketModeReceiver.js')

export const { default: App, LogLevel } = app
export type LogLevel = bolt.LogLevel
export const { default: SocketModeReceiver } = receiver
export type SocketModeReceiver = bolt.SocketModeReceiver
