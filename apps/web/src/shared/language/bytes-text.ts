import { say } from './say.ts'
import { perSpeech } from './speech.ts'

const UNITS = ['kilobyte', 'megabyte', 'gigabyte'] as const

const formats = UNITS.map((unit) =>
  perSpeech(
    ({ locale }) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumSignificantDigits: 2 }),
  ),
)

/** A size as people read it: 133 bytes, 1.2 MB. */
export function bytesText(sizeBytes: number): string {
  if (sizeBytes < 1_000) return say('limits.in-bytes', { count: sizeBytes })
  const step = Math.min(UNITS.length, Math.floor(Math.log10(sizeBytes) / 3))
  return formats[step - 1]?.().format(sizeBytes / 1_000 ** step) ?? ''
}
