import type { Api } from './api.ts'
import { reachServer } from './reach-server.ts'

/**
 * Does something with the running server of the data folder, or with one of this command's own. `opened`: the address that
 * others open; null of one of this command's own. @returns the exit code.
 */
export async function withApi(
  options: { readonly dataDir?: string; readonly looksOnly?: boolean },
  work: (api: Api, opened: string | null) => Promise<number>,
): Promise<number> {
  const server = await reachServer({ detect: false, ...options })
  try {
    return await work(server.api, server.opened)
  } finally {
    await server.close()
  }
}
