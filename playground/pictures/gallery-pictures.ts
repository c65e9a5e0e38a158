// A picture of everything in the gallery, as the page shows it, and docs/gallery.md around them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { seed } from '../monitor/seed/seed.ts'
import { Happenings } from '../server/happenings/happenings.ts'
import { createMask } from '../server/happenings/mask.ts'
import { readManifest } from '../server/manifest.ts'
import type { Scene } from '../server/scene.ts'
import { servePage } from '../server/server.ts'
import { Troubles } from '../server/troubles/troubles.ts'
import type { Json } from '../slack/model/json.ts'
import { controlsOf, heldValue } from '../slack/model/view-state.ts'
import { galleryMarkdown, isPictured, pictureOf, widths } from './gallery/markdown.ts'
import { onStage } from './gallery/on-stage.ts'
import { type Exhibit, showAll } from './gallery/show.ts'
import { asOf } from './gallery/stage/sample.ts'
import { openStage, type Stage } from './gallery/stage/stage.ts'
import { postAsShown } from './post-as-shown.ts'
import { smallPng } from './small-png.ts'
import { themeColours } from './theme-colours.ts'

/** @param folder - `docs`. */
export async function takeGallery(browser: Browser, folder: string): Promise<void> {
  const exhibits = await showAll()
  const stage = await openStage()
  const server = await servePage(sceneOf(stage), 0)
  try {
    rmSync(join(folder, 'gallery'), { recursive: true, force: true })
    mkdirSync(join(folder, 'gallery'), { recursive: true })
    const page = await openPage(browser, server.url)
    for (const exhibit of exhibits.filter(isPictured)) {
      await page.setViewportSize(windowOf(exhibit))
      const picture = await hang(exhibit, stage, page)
      const png = await pictureIn(exhibit, picture, page)
      writeFileSync(join(folder, pictureOf(exhibit.entry)), smallPng(png, themeColours))
    }
    await page.context().close()
  } finally {
    await server.stop()
    await stage.stop()
  }
  writeFileSync(join(folder, 'gallery.md'), galleryMarkdown(exhibits))
}

function sceneOf({ slack, service, alice, onCall }: Stage): Scene {
  const happenings = new Happenings({ slack, service, mask: createMask([]) })
  const bot = { isRunning: true, start: () => Promise.resolve(), stop: () => Promise.resolve() }
  return {
    slack,
    service,
    seed: seed(service, asOf * 1000),
    players: [{ person: alice, rights: 'may do everything', isNew: false, demoToken: '' }],
    manifest: readManifest(),
    happenings,
    troubles: new Troubles({ slack, service, happenings, bot, channel: onCall }),
  }
}

/** Beside the messages, in CSS pixels; a phone does not show it. */
const sidebar = 260
/** Forms are pictured whole, where Slack would scroll. */
const height = 3600

function windowOf({ entry }: Exhibit): { width: number; height: number } {
  return { width: entry.isOnPhone === true ? widths.phone : sidebar + widths.message, height }
}

/** Of what goes on as elsewhere, in CSS pixels. */
const mostOfCutOff = 420

async function pictureIn({ entry }: Exhibit, picture: Locator, page: Page): Promise<Buffer> {
  const how = { animations: 'disabled', omitBackground: true } as const
  const box = entry.isCutOff === true ? await picture.boundingBox() : null
  if (box === null) return picture.screenshot(how)
  return page.screenshot({ ...how, clip: { ...box, height: Math.min(box.height, mostOfCutOff) } })
}

/** A modal stands there alone and whole, on nothing; a message has as much room below it as above. */
const framing = `
  [role=log] article { padding-bottom: 8px !important }
  .s-message-ephemeral { box-shadow: 0 0 0 2px var(--ephemeral) }
  :root:has(dialog[open]) { background: none !important; visibility: hidden }
  dialog[open] { height: fit-content !important; max-height: none !important; box-shadow: none !important; visibility: visible }
  dialog::backdrop { background: none !important }
`

async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width: sidebar + widths.message, height },
    // Sharp enough, and small: there are many.
    deviceScaleFactor: 1.5,
    colorScheme: 'light',
    locale: 'en-US',
    timezoneId: 'UTC',
  })
  // “Today” is the day of the pictures.
  await page.clock.setFixedTime(asOf * 1000)
  await page.goto(url)
  await page.evaluate(`{
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(\`${framing}\`)
    document.adoptedStyleSheets.push(sheet)
  }`)
  return page
}

/** The page puts the focus somewhere as a modal opens, and again where something is wrong in it. */
const blurWhenSettled = `new Promise((resolve) => {
  const blur = () => resolve(document.activeElement.blur())
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(blur, 20)))
})`

/** Puts it on the page, alone. */
async function hang({ shown }: Exhibit, stage: Stage, page: Page): Promise<Locator> {
  const { slack, alice, onCall } = stage
  const { workspace } = slack
  const article = page.getByRole('log', { name: 'Messages in #on-call' }).getByRole('article')
  const dialog = page.getByRole('dialog')
  for (const message of slack.messagesIn(onCall)) workspace.remove(message)
  workspace.views.clear(alice.id)
  for (const before of [article, dialog]) await before.waitFor({ state: 'detached' })
  await goTo(page, 'on-call')
  if (shown.kind === 'home') return hangHome(onStage(shown.view, stage), stage, page)
  if (shown.kind === 'modal') {
    const view = workspace.views.open({
      userId: alice.id,
      content: onStage(shown.view, stage),
      channelId: onCall.id,
    })
    for (const { blockId, actionId, type } of controlsOf(view.content)) {
      const typed = shown.typed[blockId]
      if (typed !== undefined) workspace.views.type(view, blockId, actionId, heldValue(type, typed))
    }
    workspace.views.complain(view, new Map(Object.entries(shown.errors)))
    await dialog.waitFor()
    if (Object.keys(shown.errors).length > 0) await dialog.getByRole('alert').first().waitFor()
    await page.evaluate(blurWhenSettled)
    return dialog
  }
  await postAsShown(shown, stage, article)
  await article.waitFor()
  return article
}

/** @param place - As the page's address names it. */
async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
  await page.locator('.v-home').waitFor({ state: place === 'home' ? 'attached' : 'detached' })
}

/** The bot publishes its own as the tab is opened; then this one takes its place. */
async function hangHome(view: Json, { slack, alice }: Stage, page: Page): Promise<Locator> {
  const { workspace } = slack
  const tab = page.locator('.v-home')
  const published = () => slack.calls.filter(({ method }) => method === 'views.publish').length
  const before = published()
  await goTo(page, 'home')
  await workspace.changes.until(
    () => published() > before || undefined,
    5000,
    () => 'no Home tab',
  )
  await slack.idle()
  // What cannot be missed comes and goes, so that it is this one that is pictured.
  const between = tab.getByText(nothingYet)
  workspace.views.publish(alice.id, {
    type: 'home',
    blocks: [{ type: 'section', text: { type: 'plain_text', text: nothingYet } }],
  })
  await between.waitFor()
  workspace.views.publish(alice.id, view)
  await between.waitFor({ state: 'detached' })
  return tab
}

const nothingYet = 'Nothing hangs here yet'
