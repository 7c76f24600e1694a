import type { RejectedChange } from '@holdfast/tool'

/** The most that a note says, and what it says of the lines of one file, in characters; what is left out is counted. [REQ6] */
const NOTE_CHARS = 5_000
const FILE_CHARS = 1_500

/** What the model is told of what a person rejected; null where nothing was. [WS9] */
export function reviewNote({
  rejected,
  isUndoing,
}: {
  readonly rejected: readonly RejectedChange[]
  /** Whether what was taken back is itself a rejection. */
  readonly isUndoing: boolean
}): string | null {
  if (rejected.length === 0) return null
  if (isUndoing)
    return [
      'The person took back what they had rejected before: your changes of these files stand again. Read them before you edit them.',
      ...named(rejected.map(({ path }) => path)),
    ].join('\n')
  const lines = [
    'The person reviewed your changes and rejected these. They were taken back: the files stand without them. Do not make them again unless you are asked to, and read a file before you edit it.',
  ]
  let leftChars = NOTE_CHARS
  for (const [index, { path, lines: changed, isWhole }] of rejected.entries()) {
    if (leftChars <= 0) {
      lines.push(...named(rejected.slice(index).map((other) => other.path)))
      break
    }
    const part = [
      '',
      `${path}: ${isWhole ? 'rejected as a whole' : 'rejected in part'}`,
      ...bounded(changed, leftChars),
    ]
    leftChars -= part.reduce((sum, line) => sum + line.length + 1, 0)
    lines.push(...part)
  }
  return lines.join('\n')
}

function bounded(lines: readonly string[], leftChars: number): readonly string[] {
  let chars = Math.min(FILE_CHARS, leftChars)
  const shown = lines.findIndex((line) => {
    chars -= line.length + 1
    return chars < 0
  })
  return shown < 0 ? lines : [...lines.slice(0, shown), `[… ${lines.length - shown} more lines]`]
}

const MOST_NAMES = 40

function named(paths: readonly string[]): readonly string[] {
  const left = paths.length - MOST_NAMES
  return ['', ...paths.slice(0, MOST_NAMES), ...(left > 0 ? [`[… ${left} more files]`] : [])]
}
