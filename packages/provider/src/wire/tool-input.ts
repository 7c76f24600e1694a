import { isObjectText, parseJson } from './json-reader.ts'
import { RawJson } from './json-text.ts'

/**
 * The input of a call as a history shows it to a provider: its own bytes if they are one JSON object, else an
 * object that quotes them. Such a call was answered with an error; a provider would refuse its bytes. [RUN10]
 */
export function inputObject(inputText: string): RawJson {
  if (isObjectText(inputText)) return new RawJson(inputText.trim())
  return new RawJson(JSON.stringify({ invalid_json: inputText }))
}

/** Whether an input ended where it should: one whole JSON value, or nothing at all. */
export function isWholeInput(inputText: string): boolean {
  return inputText === '' || parseJson(inputText) !== undefined
}
