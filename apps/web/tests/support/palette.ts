import type { Page } from 'playwright-core'

/** Opens the palette and types. */
export async function palette(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByTestId('palette').waitFor()
  await page.keyboard.type(words)
}
