// What the bot listens to, by name. Bolt would ask each listener in turn whether a request is for it: with some fifty of
// them that is most of what a request costs, so Bolt gets one a kind, and the name leads to whose it is.
import type {
  App,
  Middleware,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
} from '@slack/bolt'

/** One listener a name; a second one for it is a defect of ours, and throws. */
export interface Listeners {
  /** @param name - With its slash. */
  command(name: string, listener: Middleware<SlackCommandMiddlewareArgs>): void
  action(actionId: string, listener: Middleware<SlackActionMiddlewareArgs>): void
  /** Global ones, and those in a message's menu. */
  shortcut(callbackId: string, listener: Middleware<SlackShortcutMiddlewareArgs>): void
  /** Of submissions. */
  view(callbackId: string, listener: Middleware<SlackViewMiddlewareArgs>): void
  event(type: string, listener: Middleware<SlackEventMiddlewareArgs>): void
}

const any = /^/

export function listenersOf(app: Pick<App, keyof Listeners>): Listeners {
  const commands = named<SlackCommandMiddlewareArgs>()
  const actions = named<SlackActionMiddlewareArgs>()
  const shortcuts = named<SlackShortcutMiddlewareArgs>()
  const views = named<SlackViewMiddlewareArgs>()
  const events = named<SlackEventMiddlewareArgs>()
  app.command(any, async (args) => commands.find(args.command.command)?.(args))
  app.action(any, async (args) => {
    if ('action_id' in args.action) await actions.find(args.action.action_id)?.(args)
  })
  app.shortcut(any, async (args) => shortcuts.find(args.shortcut.callback_id)?.(args))
  app.view(any, async (args) => views.find(args.view.callback_id)?.(args))
  app.event(any, async (args) => events.find(args.event.type)?.(args))
  return {
    command: commands.add,
    action: actions.add,
    shortcut: shortcuts.add,
    view: views.add,
    event: events.add,
  }
}

function named<Args>() {
  const listeners = new Map<string, Middleware<Args>>()
  return {
    add(name: string, listener: Middleware<Args>): void {
      if (listeners.has(name)) throw new TypeError(`two listeners for ${name}`)
      listeners.set(name, listener)
    },
    find: (name: string) => listeners.get(name),
  }
}
