import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** Pictures for people, light, dark and on a phone, where a folder is named for them. */
export async function shots(page: Page, name: string): Promise<void> {
  const folder = process.env['HOLDFAST_SHOTS']
  if (!folder) return
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), animations: 'disabled' })
  }
  const size = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.screenshot({ path: join(folder, `${name}-phone.png`), animations: 'disabled' })
  if (size) await page.setViewportSize(size)
}
