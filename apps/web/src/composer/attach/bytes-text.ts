import { perSpeech } from '../../shared/language/speech.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

const formats = UNITS.map((unit) =>
  perSpeech(
    ({ locale }) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumSignificantDigits: 2 }),
  ),
)

/** A size as people read it: 1.2 MB. */
export function bytesText(sizeBytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, sizeBytes)) / 3))
  return formats[step]?.().format(sizeBytes / 1_000 ** step) ?? ''
}
