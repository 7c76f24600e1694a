import { perSpeech } from '../shared/language/speech.ts'

const figures = perSpeech(({ locale }) => new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }))

/** A figure as people read it. */
export function figureText(value: number): string {
  return figures().format(value)
}
