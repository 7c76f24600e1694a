import { access } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the built page may be: in the published package, and in the repository. */
const PLACES = [join(import.meta.dirname, '..', 'web'), join(import.meta.dirname, '..', '..', 'web', 'dist')]

/** The folder of the built page, or null when it has not been built. */
export async function findWebRoot(): Promise<string | null> {
  for (const place of PLACES) {
    if (await exists(join(place, 'index.html'))) return place
  }
  return null
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
