// GET /metrics: what happened, in figures that Prometheus can read, and with nothing in them that is anybody's.
import { describe, expect, it } from 'vitest'
import { scrape } from '../metrics/scraped.ts'
import { aliceToken, openWorld } from '../world.ts'

describe('GET /metrics', () => {
  it('is text of Prometheus, of the bot and of its process, under names of its own', async () => {
    const { url } = await openWorld()
    const response = await fetch(`${url}/metrics`)

    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4')
    const samples = (await response.text()).split('\n').filter((line) => !/^(?:#|$)/.test(line))
    expect(
      samples.filter((line) => !/^(bellhop|process|nodejs)_[a-z0-9_]+[ {]/.test(line)),
    ).toEqual([])
    expect((await scrape(url)).of('process_resident_memory_bytes')).toBeGreaterThan(0)
  })

  it('counts what people ask, how it ends, and how long Slack and the service take', async () => {
    const { alice, bob, general, service, slack, clock, url } = await openWorld()
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    const before = await scrape(url)
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

    const { of } = await scrape(url)
    const grew = (sample: string) => (of(sample) ?? 0) - (before.of(sample) ?? 0)
    const requests = (kind: string, about: string, outcome: string) =>
      grew(`bellhop_requests_total{kind="${kind}",about="${about}",outcome="${outcome}"}`)
    await expect.poll(() => requests('command', 'alert', 'ok')).toBe(2)
    expect(requests('command', 'alert', 'service-not-found')).toBe(1)
    expect(requests('command', 'grant', 'ok')).toBe(1)
    expect(requests('block_actions', 'alert', 'ok')).toBe(1)
    expect(grew('bellhop_ack_seconds_count{kind="command"}')).toBe(4)
    expect(grew('bellhop_service_seconds_count{operation="add_user",status="204"}')).toBe(1)
    expect(grew('bellhop_service_seconds_count{operation="read_alert",status="404"}')).toBe(1)
    expect(grew('bellhop_slack_seconds_count{method="views.open",status="ok"}')).toBe(1)
    expect(
      grew('bellhop_slack_seconds_count{method="chat.postMessage",status="ok"}'),
    ).toBeGreaterThan(1)
    expect(of('bellhop_live_cards')).toBe(1)
  })

  it('holds no secret, nor who or what it was about', async () => {
    const { alice, general, ops, service, slack, env, url } = await openWorld()
    service.addAlert({ ks: 'secret-key', message: 'Disk full' })
    await alice.types('/alert secret-key', ops)
    await alice.sees('Disk full', ops)
    await slack.idle(50)

    const text = await (await fetch(`${url}/metrics`)).text()
    expect(
      (await scrape(url)).of('bellhop_slack_seconds_count{method="response_url",status="ok"}'),
    ).toBeGreaterThan(0)
    const others = [alice.id, general.id, 'alice', 'secret-key', '/commands', '127.0.0.1', 'dave@']
    for (const one of [
      aliceToken,
      slack.botToken,
      slack.signingSecret,
      env.ENCRYPTION_KEYS,
      ...others,
    ]) {
      expect(text).not.toContain(one)
    }
  })
})
