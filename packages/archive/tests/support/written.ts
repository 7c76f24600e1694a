import type { exportHtml, ReadersSource } from '@holdfast/archive'
import type { Entry } from '@holdfast/conversation'
import { pieces } from './import-into.ts'

/** The text of a reader's export of a log. */
export async function written(
  write: typeof exportHtml,
  log: readonly Entry[],
  options: ReadersSource['options'],
): Promise<string> {
  let text = ''
  for await (const piece of write({ entries: () => pieces(log), options })) text += piece
  return text
}
