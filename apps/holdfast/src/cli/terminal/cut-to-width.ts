/** Characters that take two columns: those of East Asian scripts, full forms and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u

/** What the terminal shows of a line in this many columns, with `…` where something is left out. Marks are never torn off. */
export function cutToWidth(line: string, columns: number): string {
  let width = 0
  let kept = ''
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(line)) {
    const wide = WIDE.test(segment) ? 2 : 1
    if (width + wide > columns) return `${withoutLast(kept)}…`
    width += wide
    kept += segment
  }
  return kept
}

function withoutLast(text: string): string {
  const segments = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)]
  return text.slice(0, segments.at(-1)?.index ?? 0)
}
