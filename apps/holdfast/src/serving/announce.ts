import { systemClock } from '@holdfast/engine/system'
import type { Config } from '../config.ts'
import { openBrowser } from '../open-browser.ts'
import { VERSION } from '../version.ts'

/** A server that is ready, to be told of. */
export interface Announced {
  readonly url: string
  readonly token: string
  readonly link: string
  /** What opens the page in the browser that is started here. [SEC20] */
  linkOfBrowser(): string
  /** Where the page begins; null for where it begins as always. */
  readonly workspaceId: string | null
  /** What is told of the models; null for nothing. */
  readonly foundWords: string | null
}

/** Says once that the server is ready, and opens the browser where that is wanted. */
export async function announce(
  config: Pick<Config, 'dataDir' | 'json' | 'auth' | 'openBrowser'>,
  { url, token, link: plainLink, linkOfBrowser, workspaceId, foundWords }: Announced,
): Promise<void> {
  const { dataDir } = config
  const link = beginningIn(plainLink, workspaceId)
  if (config.json) process.stdout.write(`${JSON.stringify({ url, token, dataDir, version: VERSION })}\n`)
  else
    process.stderr.write(`holdfast ${VERSION}   data ${dataDir}\n${link}\n${foundWords ?? ''}Press Ctrl+C to stop.\n`)
  // The line for programs has no room for it, and without it nobody gets in.
  if (config.json && config.auth === 'accounts') process.stderr.write(`${link}\n`)
  if (config.openBrowser) await openBrowser(beginningIn(linkOfBrowser(), workspaceId), { dataDir, clock: systemClock })
}

function beginningIn(link: string, workspaceId: string | null): string {
  return workspaceId === null ? link : `${link}${link.includes('?') ? '&' : '?'}workspace=${workspaceId}`
}
