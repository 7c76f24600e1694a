import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Where the scripts keep their stamps, locks and reports; ignored by git, safe to delete. */
export const SETUP_FOLDER = join(ROOT, '.setup')
