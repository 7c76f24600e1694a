import { isObject } from '../shared/is-object.ts'
import { type Diff, diffOfChanges, diffOfEdit, diffOfTexts } from './lines/diff-of.ts'

/** What a call that asks would do, as people speak of it. */
export type AskedAct =
  | { readonly type: 'command'; readonly line: string; readonly folder: string; readonly isBackground: boolean }
  | { readonly type: 'write'; readonly path: string; readonly content: string }
  | { readonly type: 'edit'; readonly path: string; readonly before: string; readonly after: string }
  /** Of several files. */
  | { readonly type: 'edits'; readonly count: number; readonly diff: Diff }
  | { readonly type: 'page'; readonly address: string; readonly host: string }
  /** Anything else: its plain values by name. */
  | { readonly type: 'other'; readonly values: readonly { readonly name: string; readonly value: string }[] }

/** Reads what a call would do out of its input. Names are those of the tools here, and of those that are used elsewhere. */
export function askedAct(input: unknown): AskedAct {
  if (!isObject(input)) return { type: 'other', values: [] }
  const text = (names: readonly string[]) => firstText(input, names)
  const line = text(['command'])
  if (line !== null)
    return { type: 'command', line, folder: text(['folder', 'cwd']) ?? '.', isBackground: input['background'] === true }
  const path = text(['path', 'file_path', 'filePath'])
  const before = text(['old_text', 'old_string', 'oldText', 'oldString'])
  const after = text(['new_text', 'new_string', 'newText', 'newString'])
  const changes = input['changes']
  const diff = diffOfChanges(changes)
  if (diff !== null && Array.isArray(changes)) return { type: 'edits', count: changes.length, diff }
  if (path !== null && before !== null && after !== null) return { type: 'edit', path, before, after }
  const content = text(['content', 'contents'])
  if (path !== null && content !== null) return { type: 'write', path, content }
  const address = text(['url'])
  const host = address === null ? '' : (URL.parse(address)?.host ?? '')
  if (address !== null && host !== '') return { type: 'page', address, host }
  return { type: 'other', values: Object.entries(input).flatMap(([name, value]) => plainValue(name, value)) }
}

/** The lines that a change takes away and adds. `before`: the file as it is; null where it is not known or not there. */
export function diffOfAct(act: Extract<AskedAct, { type: 'write' | 'edit' }>, before: string | null): Diff {
  switch (act.type) {
    case 'write':
      return diffOfTexts(before ?? '', act.content)
    case 'edit':
      return diffOfEdit({ before: act.before, after: act.after, file: before })
  }
}

function firstText(input: Readonly<Record<string, unknown>>, names: readonly string[]): string | null {
  for (const name of names) {
    const value = input[name]
    if (typeof value === 'string') return value
  }
  return null
}

function plainValue(name: string, value: unknown) {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? [{ name, value: String(value) }]
    : []
}
