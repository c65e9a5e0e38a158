// GET /metrics: what happened, in figures that Prometheus can read, and with nothing in them that is anybody's.
import { describe, expect, it } from 'vitest'
import { aliceToken, openWorld } from '../world.ts'

interface Family {
  help?: string
  type?: string
  readonly samples: Map<string, number>
}

const label = /([a-zA-Z_][\w]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y

/** Strict about the text format, version 0.0.4. @throws Error naming the line that is wrong. */
function parse(text: string): Map<string, Family> {
  expect(text.endsWith('\n')).toBe(true)
  const families = new Map<string, Family>()
  const familyOf = (name: string) => {
    const base = families.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')
    const family = families.get(base) ?? { samples: new Map() }
    families.set(base, family)
    return family
  }
  for (const line of text.split('\n').slice(0, -1)) {
    if (line === '') continue
    const [, what, named, rest] = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line) ?? []
    if (what !== undefined && named !== undefined && rest !== undefined) {
      const family: Family = families.get(named) ?? { samples: new Map() }
      families.set(named, family)
      const key = what === 'HELP' ? 'help' : 'type'
      if (family[key] !== undefined || family.samples.size > 0) throw new Error(`late or twice: ${line}`)
      family[key] = rest
      continue
    }
    const [, name = '', labels = '', value = ''] =
      // Prometheus reads NaN in any case, and prom-client writes it as “Nan” where the event loop was not measured.
      /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?\d[\d.e+-]*|N[aA][nN]|[+-]Inf)$/.exec(line) ?? []
    if (name === '') throw new Error(`not a sample: ${line}`)
    label.lastIndex = 0
    while (label.lastIndex < labels.length) if (!label.test(labels)) throw new Error(`labels: ${line}`)
    const { samples } = familyOf(name)
    const key = line.slice(0, line.lastIndexOf(' '))
    if (samples.has(key)) throw new Error(`twice: ${line}`)
    samples.set(key, Number(value))
  }
  return families
}

async function read(url: string) {
  const response = await fetch(`${url}/metrics`)
  const text = await response.text()
  const families = parse(text)
  const amount = (sample: string) => {
    for (const { samples } of families.values()) {
      const value = samples.get(sample)
      if (value !== undefined) return value
    }
    return undefined
  }
  return { response, text, families, amount }
}

describe('GET /metrics', () => {
  it('is what Prometheus reads: each figure with its help and type, under names of its own', async () => {
    const { url } = await openWorld()
    const { response, families } = await read(url)

    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
    for (const [name, { help, type }] of families) {
      expect([name, help?.length, type]).toEqual([
        name,
        expect.any(Number),
        expect.stringMatching(/^(counter|gauge|histogram)$/),
      ])
      expect(name).toMatch(/^(bellhop|process|nodejs)_[a-z0-9_]+$/)
    }
    expect(families.has('process_resident_memory_bytes')).toBe(true)
  })

  it('counts what people ask, how it ends, and how long Slack and the service take', async () => {
    const { alice, bob, general, service, slack, clock, url } = await openWorld()
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    const before = await read(url)
    await alice.types('/alert 5HkX watch', general)
    const card = await alice.sees('Disk full', general)
    await alice.sees('No actions', card)
    await alice.presses('Refresh', card)
    await alice.types('/alert nothing', general)
    await alice.sees('There’s no alert', general)
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('Granted', general)
    service.trouble.malformed('wrong-type')
    await bob.types('/alert connect', general)
    await slack.idle(100)
    clock.advance(20_000)

    const { amount } = await read(url)
    const grew = (sample: string) => (amount(sample) ?? 0) - (before.amount(sample) ?? 0)
    const requests = (kind: string, about: string, outcome: string) =>
      grew(`bellhop_requests_total{kind="${kind}",about="${about}",outcome="${outcome}"}`)
    await expect.poll(() => requests('command', 'alert', 'ok')).toBe(2)
    expect(requests('command', 'alert', 'service-not-found')).toBe(1)
    expect(requests('command', 'grant', 'ok')).toBe(1)
    expect(requests('press', 'alert', 'ok')).toBe(1)
    expect(grew('bellhop_ack_seconds_count{kind="command"}')).toBe(4)
    expect(grew('bellhop_service_seconds_count{operation="add_user",status="204"}')).toBe(1)
    expect(grew('bellhop_service_seconds_count{operation="read_alert",status="404"}')).toBe(1)
    expect(grew('bellhop_slack_seconds_count{method="views.open",status="ok"}')).toBe(1)
    expect(grew('bellhop_slack_seconds_count{method="chat.postMessage",status="ok"}')).toBeGreaterThan(1)
    expect(amount('bellhop_live_cards')).toBe(1)
  })

  it('holds no secret, nor who or what it was about', async () => {
    const { alice, general, ops, service, slack, env, url } = await openWorld()
    service.addAlert({ ks: 'secret-key', message: 'Disk full' })
    await alice.types('/alert secret-key', ops)
    await alice.sees('Disk full', ops)
    await slack.idle(50)

    const { text, amount } = await read(url)
    expect(amount('bellhop_slack_seconds_count{method="response_url",status="ok"}')).toBeGreaterThan(0)
    const others = [alice.id, general.id, 'alice', 'secret-key', '/commands', '127.0.0.1', 'dave@']
    for (const one of [aliceToken, slack.botToken, slack.signingSecret, env.ENCRYPTION_KEYS, ...others]) {
      expect(text).not.toContain(one)
    }
  })

  it('is made once for all who ask in the same moment', async () => {
    const { alice, general, url } = await openWorld({ figuresMs: 600_000 })
    const text = async () => (await fetch(`${url}/metrics`)).text()
    const before = await text()

    await alice.types('/alert help', general)

    expect(await text()).toBe(before)
  })
})
