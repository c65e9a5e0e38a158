// Places on the page, by the names people read and screen readers say, and what people do with them.
import type { Locator, Page } from 'playwright-core'

/** It is there, or comes to be. */
export async function seen(locator: Locator): Promise<void> {
  await locator.first().waitFor()
}

/** It is not there, or goes away. */
export async function gone(locator: Locator): Promise<void> {
  await locator.first().waitFor({ state: 'hidden' })
}

/** It has the keyboard's focus, or gets it. */
export async function focused(locator: Locator): Promise<void> {
  await seen(locator.and(locator.page().locator(':focus')))
}

export const messageBox = (page: Page) => page.getByRole('textbox', { name: /^Message / })

export async function says(page: Page, line: string): Promise<void> {
  await messageBox(page).fill(line)
  await messageBox(page).press('Enter')
}

/** Messages in the channel that is open. @param words - Somewhere in them. */
export function messages(page: Page, words: string | RegExp = ''): Locator {
  return page
    .getByRole('log', { name: /^Messages / })
    .getByRole('article')
    .filter({ hasText: words })
}

/** The newest message with these words. */
export const message = (page: Page, words: string | RegExp) => messages(page, words).last()

export const thread = (page: Page) => page.getByRole('complementary', { name: 'Thread' })
export const replies = (page: Page) =>
  thread(page).getByRole('log', { name: 'Replies' }).getByRole('article')

export const dialog = (page: Page, title: string) =>
  page.getByRole('dialog', { name: title, exact: true })

export async function goesTo(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Channels' }).getByRole('link', { name }).click()
  await seen(page.getByRole('log', { name: new RegExp(`${name}$`) }))
}

export const presses = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true }).click()

/** Chooses in the menu “More actions” of a message. */
export async function choosesFor(target: Locator, entry: string): Promise<void> {
  await target.hover()
  await presses(target, 'More actions')
  await target.getByRole('menuitem', { name: entry }).click()
}

/** Something happens at the service to this alert: by default what comes next in its story. */
export async function newEvent(
  page: Page,
  what = 'What comes next',
  ks = 'disk-full',
): Promise<void> {
  const service = page.getByRole('region', { name: 'Stand-in service' })
  await presses(service, `New event for ${ks}`)
  await service.getByRole('menuitem', { name: what }).click()
}
