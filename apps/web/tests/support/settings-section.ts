import type { Page } from 'playwright-core'

/** Goes from one page of the settings to another by their list, and waits until something of it is there; to load the page again takes ten times as long. */
export async function toSection(page: Page, section: string): Promise<void> {
  await page.locator(`nav a[href$="/settings/${section}"]`).click()
  await page
    .locator(`[data-testid=settings][data-state=${section}] :is(h2, h3, label, table, dl, .settings-lead)`)
    .first()
    .waitFor()
}
