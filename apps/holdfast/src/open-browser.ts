import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Clock } from '@holdfast/conversation'

/** How long the page that leads on is kept, in milliseconds: as long as what it leads on with is good. */
const KEPT_MS = 60_000

/**
 * Opens an address in the user's browser, where there is one. Everybody on the machine sees what a program is started
 * with, and the address may let in whoever has it: the browser is started with a page that only its user can read, and
 * that page leads on. Never fails for want of a browser: the address is printed anyway. [SEC20]
 */
export async function openBrowser(
  link: string,
  { dataDir, clock }: { readonly dataDir: string; readonly clock: Clock },
): Promise<void> {
  const page = join(dataDir, 'open-browser.html')
  const [command, ...args] = opener(page)
  if (command === undefined) return
  await rm(page, { force: true })
  await writeFile(page, leadingTo(link), { mode: 0o600, flag: 'wx' })
  const remove = (): void => rmSync(page, { force: true })
  clock.after(KEPT_MS, remove)
  process.once('exit', remove)
  const child = spawn(command, args, { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}

function leadingTo(link: string): string {
  const address = link.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Holdfast</title>
<a href="${address}">Holdfast</a>
`
}

function opener(page: string): readonly string[] {
  switch (process.platform) {
    case 'darwin':
      return ['open', page]
    case 'win32':
      return ['cmd', '/c', 'start', '""', page]
    default:
      return ['xdg-open', pathToFileURL(page).href]
  }
}
