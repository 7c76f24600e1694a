import { markHidden } from '@holdfast/conversation'
import { say } from '../shared/language/say.ts'
import { inputValue } from './call-words.ts'
import { diffOfInput } from './diff-of.ts'
import { DiffView } from './diff-view.tsx'
import { JsonView } from './json-view.tsx'

/** More of a command or text than this is shown when somebody asks for it, in UTF-16 code units. */
const SHOWN_LENGTH = 4_000

/** With what a tool is called: a change as a change, a command as a command, all else as a tree. */
export function InputView({ inputText }: { readonly inputText: string }) {
  const input = inputValue({ inputText })
  const diff = diffOfInput(input)
  if (diff) return <DiffView lines={diff} />
  const command = commandOf(input)
  if (command !== null) return <LongText text={command} />
  if (typeof input === 'object' && input !== null) return <JsonView value={input} />
  return <LongText text={inputText} />
}

function LongText({ text }: { readonly text: string }) {
  const shown = text.slice(0, SHOWN_LENGTH)
  const rest = text.slice(SHOWN_LENGTH)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
      <pre className="printed" dir="auto" tabIndex={0}>
        {markHidden(shown)}
      </pre>
      {rest !== '' && (
        <details className="late">
          <summary>{say('tools.show-all-characters', { count: text.length })}</summary>
          <pre className="printed" dir="auto">
            {markHidden(rest)}
          </pre>
        </details>
      )}
    </>
  )
}

/** The command of an input that has nothing else that matters. */
function commandOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('command' in input)) return null
  return typeof input.command === 'string' ? input.command : null
}
