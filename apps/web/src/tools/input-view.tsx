import { useMemo } from 'react'
import { inputValue } from './call-words.ts'
import { JsonView } from './json-view.tsx'
import { diffOfInput } from './lines/diff-of.ts'
import { DiffView } from './lines/diff-view.tsx'
import { PartedText } from './lines/parted-text.tsx'

/** With what a tool is called: a change as a change, a command as a command, all else as a tree. */
export function InputView({ inputText }: { readonly inputText: string }) {
  const { input, diff } = useMemo(() => {
    const value = inputValue({ inputText })
    return { input: value, diff: diffOfInput(value) }
  }, [inputText])
  if (diff) return <DiffView lines={diff.lines} />
  const command = commandOf(input)
  if (command !== null) return <PartedText dir="auto" text={command} />
  if (typeof input === 'object' && input !== null) return <JsonView value={input} />
  return <PartedText dir="auto" text={inputText} />
}

/** The command of an input that has nothing else that matters. */
function commandOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('command' in input)) return null
  return typeof input.command === 'string' ? input.command : null
}
