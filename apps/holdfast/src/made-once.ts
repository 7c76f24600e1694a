import { randomBytes } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { moveToNewName } from '@holdfast/toolbox'

/**
 * The text of a small file that is made once and read ever after; only its user can read it. It is there whole or not at
 * all, and of several who make it at once, one does. @throws whatever keeps it from being written or read.
 */
export async function madeOnce(path: string, make: () => string): Promise<string> {
  const known = await wholeText(path)
  if (known !== '') return known
  const arriving = `${path}.${randomBytes(6).toString('hex')}`
  try {
    const file = await open(arriving, 'wx', 0o600)
    try {
      await file.writeFile(`${make()}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await moveToNewName(arriving, path)
  } catch (error) {
    // Another process was faster: its text counts. An empty file is left by one that was killed, on a disk where a name is
    // taken before the text is there.
    if (!hasCode(error, 'EEXIST')) throw error
    if ((await wholeText(path)) === '') await rename(arriving, path)
  } finally {
    await rm(arriving, { force: true })
  }
  return wholeText(path)
}

/** How long one who has taken the name may take for the text. */
const TAKEN_MS = 1_000
const LOOK_MS = 20

/** Empty where there is no file, or where its text does not come. */
async function wholeText(path: string): Promise<string> {
  for (let leftMs = TAKEN_MS; ; leftMs -= LOOK_MS) {
    const text = await textOf(path)
    if (text !== '' || leftMs <= 0) return text ?? ''
    await delay(LOOK_MS)
  }
}

/** Null where there is no file. */
async function textOf(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
