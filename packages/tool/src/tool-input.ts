import { Json } from '@holdfast/conversation'

/** The input of a call as the model wrote it, read; or why it cannot be run. [RUN10] */
export type ToolInput =
  | { readonly type: 'read'; readonly input: Json }
  | { readonly type: 'unreadable'; readonly message: string }

/**
 * Reads the input of a call. What is not whole JSON is never run and never mended. [RUN10]
 *
 * @param complete false when the stream ended inside the input.
 */
export function readToolInput({
  inputText,
  complete,
}: {
  readonly inputText: string
  readonly complete: boolean
}): ToolInput {
  if (!complete) return { type: 'unreadable', message: 'The input was cut off before its end. Nothing was run.' }
  // A call without arguments is streamed as no input at all.
  if (inputText.trim() === '') return { type: 'read', input: {} }
  try {
    return { type: 'read', input: Json.parse(JSON.parse(inputText)) }
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 300) : 'no reason'
    return { type: 'unreadable', message: `The input is not JSON: ${why}. Nothing was run.` }
  }
}
