// Bolt’s own files, one by one: its index also loads Express, and receivers for places where Bellhop is not.
// Slack's client for Socket Mode beside it. Measured at a start (Node 24): 150 ms of CPU and 74 MB, 200 and 80 with the
// index.
import { createRequire } from 'node:module'
import type * as bolt from '@slack/bolt'
import type * as socketMode from '@slack/socket-mode'

// Imported, their defaults would be one thing to Node and another to what runs the tests.
const require = createRequire(import.meta.url)
const app: {
  readonly default: typeof bolt.App
  readonly LogLevel: typeof bolt.LogLevel
} = require('@slack/bolt/dist/App.js')
const client: {
  readonly SocketModeClient: typeof socketMode.SocketModeClient
} = require('@slack/socket-mode')

export const { default: App, LogLevel } = app
export type LogLevel = bolt.LogLevel
export const { SocketModeClient } = client
export type SocketModeClient = socketMode.SocketModeClient
