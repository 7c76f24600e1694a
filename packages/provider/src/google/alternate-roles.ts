import { asList, asRecord, parseJson } from '../wire/json-reader.ts'

/**
 * A Gemini body whose contents alternate between user and model. The package writes the results of a step and what a
 * person says after them as two contents of the user; Gemini reads them as one.
 */
export function alternateRoles(bodyText: string): string {
  const body = asRecord(parseJson(bodyText))
  if (!body) return bodyText
  const contents: { role: unknown; parts: unknown[] }[] = []
  for (const item of asList(body.contents)) {
    const { role, parts } = asRecord(item) ?? {}
    const last = contents.at(-1)
    if (last && last.role === role) last.parts.push(...asList(parts))
    else contents.push({ role, parts: [...asList(parts)] })
  }
  return JSON.stringify({ ...body, contents })
}
