// Marks of an alert's actions: how an action that the service gives again is known as the same. Pure.
import { hash } from 'node:crypto'
import type { Action } from '../monitor/schema.ts'

/** The service gives actions no id, so an action is known by all it holds. */
export function actionMark({ kind, timestamp, data }: Action): string {
  return hash('sha256', inOrder([kind, timestamp, data]), 'base64url').slice(0, 16)
}

/** JSON with names sorted: the order in which the service writes them makes no other action. */
function inOrder(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(inOrder).join(',')}]`
  // Numbers come first, by their value, in any object: so they did in the marks that are kept.
  const names = Object.keys(value)
  const words = names.findIndex((name) => !isIndex(name))
  const sorted = words === -1 ? names : [...names.slice(0, words), ...names.slice(words).sort()]
  const pairs = sorted.map((name) => `${JSON.stringify(name)}:${inOrder(Reflect.get(value, name))}`)
  return `{${pairs.join(',')}}`
}

/** As JavaScript has it, which writes these names first. */
function isIndex(name: string): boolean {
  const number = Number(name) >>> 0
  return String(number) === name && number !== 2 ** 32 - 1
}
