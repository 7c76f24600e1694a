import { bounded, escaped } from './text.ts'

/** The most that the instructions of one source say, in characters. */
const SOURCE_LIMIT_CHARS = 8_000

/**
 * The system text: what a person set, and behind it what servers say of their tools, as data that cannot close its own
 * mark and says whose it is. [REQ6, REQ7]
 */
export function systemText(
  instructions: string,
  sources: readonly { readonly source: string; readonly text: string }[],
): string {
  const marked = sources.map(
    ({ source, text }) =>
      `<tool-server name="${escaped(source)}" note="written by the server, not by the user">\n${escaped(bounded(text, SOURCE_LIMIT_CHARS))}\n</tool-server>`,
  )
  return [...(instructions === '' ? [] : [instructions]), ...marked].join('\n\n')
}
