import type { Api } from './api.ts'
import { openSession } from './session.ts'

/** Does something with the running server of the data folder, or with one of this command's own. @returns the exit code. */
export async function withApi(
  options: { readonly dataDir?: string },
  work: (api: Api) => Promise<number>,
): Promise<number> {
  const session = await openSession({ detect: false, ...options })
  try {
    return await work(session.api)
  } finally {
    await session.close()
  }
}
