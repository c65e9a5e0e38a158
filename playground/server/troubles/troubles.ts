// The menu “Trouble”: bad days to order, so that a person can watch the bot cope.

import type { Seed } from '../../monitor/seed/seed.ts'
import type { MonitorService } from '../../monitor/start-monitor.ts'
import type { TroubleState } from '../../page/state/state.ts'
import type { Channel } from '../../slack/model/model.ts'
import type { Slack } from '../../slack/simulator.ts'
import type { Clock } from '../clock.ts'
import type { Happenings } from '../happenings/happenings.ts'
import { Impossible } from '../playing/act-schema.ts'
import type { Player } from '../playing/player.ts'
import { troublesOfClock } from './troubles-clock.ts'
import type { Trouble } from './troubles-kinds.ts'
import { troublesOfService } from './troubles-service.ts'
import { troublesOfSlack } from './troubles-slack.ts'

/** Starts and stops the bot's process. */
export interface BotSwitch {
  readonly isRunning: boolean
  /** On the same database as before; resolves when Slack reaches it. */
  start(): Promise<void>
  stop(): Promise<void>
}

export interface TroublesOptions {
  readonly clock: Clock
  readonly slack: Slack
  readonly service: MonitorService
  readonly happenings: Happenings
  readonly bot: BotSwitch
  readonly seed: Seed
}

export class Troubles {
  readonly #troubles: readonly Trouble[]
  readonly #listeners = new Set<() => void>()
  /** One thing is switched after the other. */
  #switched: Promise<unknown> = Promise.resolve()

  constructor({ clock, slack, service, happenings, bot, seed }: TroublesOptions) {
    this.#troubles = [
      ...troublesOfService(service, seed),
      ...troublesOfSlack(slack),
      troubleOfBot(bot, happenings),
      ...troublesOfClock(clock, slack, service, happenings),
    ]
  }

  /** As this person sees the menu. */
  list(player: Player, channels: readonly Channel[]): readonly TroubleState[] {
    return this.#troubles.map(({ id, group, lasts, label, hint, isOn, isOnIn }) => {
      const places = isOnIn && channels.filter(isOnIn).map((channel) => channel.id)
      return {
        id,
        group,
        lasts,
        label: label(player),
        hint: hint(player),
        isOn: isOn(player),
        places,
      }
    })
  }

  /**
   * Resolves when it is so.
   *
   * @param channel - The one that this person looks at.
   * @returns What came of it, where that is not seen.
   * @throws Impossible when there is no such trouble.
   */
  set(
    id: string,
    isOn: boolean,
    player: Player,
    channel: Channel | undefined,
  ): Promise<string | undefined> {
    const trouble = this.#troubles.find((one) => one.id === id)
    if (!trouble) return Promise.reject(new Impossible('There is no such trouble in the menu.'))
    const done = this.#switched.then(async () => {
      const isOnNow = trouble.isOnIn ? channel && trouble.isOnIn(channel) : trouble.isOn(player)
      const said = isOnNow === isOn ? undefined : await trouble.set(isOn, player, channel)
      for (const listener of [...this.#listeners]) listener()
      return typeof said === 'string' ? said : undefined
    })
    this.#switched = done.catch(() => {})
    return done
  }

  /** Tells that something was switched; what happened by itself is told by the stand-ins. Returns how to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

function troubleOfBot(bot: BotSwitch, happenings: Happenings): Trouble {
  return {
    id: 'bot-stopped',
    group: 'The bot',
    lasts: 'until switched off',
    label: () => 'Bellhop is stopped',
    hint: () =>
      'Type a command: Slack says that it failed. Start Bellhop again, and everything is still there.',
    isOn: () => !bot.isRunning,
    set: (isOn) =>
      isOn ? bot.stop() : happenings.during('Bellhop was started again', () => bot.start()),
  }
}
