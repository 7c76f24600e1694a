import { durationText } from '../../shared/format.ts'
import { say } from '../../shared/language/say.ts'

/** How long it thought, and how much; what is not known, or took no time, is left out. */
export function thoughtWords(tokens: number | null, thoughtMs: number | null): string {
  const time = thoughtMs ? durationText(thoughtMs) : null
  if (time !== null && tokens) return say('message.thought-for-and-of', { time, count: tokens })
  if (time !== null) return say('message.thought-for', { time })
  return tokens ? say('message.thought-of', { count: tokens }) : say('message.thought')
}
