import { isShipped, type SourceFile } from './source-file.ts'

const PLACE = 'packages/conversation/src/settings/modes.ts'

/** A mode with another value behind it; null is what is not known, and a form in which nothing is chosen has `''` there. */
const FALLBACK = /\b(?:tool|cache|permission)Mode \?\? (?!''|null\b)/

/** [WIN11] Places that say by themselves what a mode is where a conversation does not. */
export function modeOffences(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path, text }) => isShipped(path) && path !== PLACE && FALLBACK.test(text))
    .map(({ path }) => `${path}: says what a mode is where the conversation does not; ask ${PLACE}`)
}
