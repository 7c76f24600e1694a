import type { DocumentFormat } from '../formats/format-reader.ts'
import { isChatMessage } from '../formats/openai-messages.ts'
import { readJson } from '../log/bounded.ts'
import { DamagedDocumentError, type JsonMember, jsonMembers } from '../source/json-members.ts'
import { documentFormatOf } from './detect-format.ts'
import type { ImportEvent } from './import-event.ts'
import { type ImportRun, takesFormat } from './import-run.ts'
import { HOLDFAST_FORMAT, readHoldfast } from './read-holdfast.ts'
import { writeConversation } from './write-conversation.ts'

/**
 * Imports a JSON document: a list of conversations of any length, or one object. What comes before a damaged place is
 * imported, and the place is named.
 */
export async function* readDocuments(run: ImportRun, text: AsyncIterable<string>): AsyncGenerator<ImportEvent> {
  const { notes } = run
  const members = withoutFaults(run, jsonMembers(text, run.options.limits.valueChars))
  const first = await members.next()
  if (first.done) {
    notes.note({ reason: 'unknown-format', what: 'The source holds no value' })
    yield* notes.take()
    return
  }
  if (first.value.key === 'format' && readJson(first.value.text ?? '') === HOLDFAST_FORMAT) {
    yield* readHoldfast(run, members)
    return
  }
  const isBareChat = first.value.key === null && isChatMessage(readJson(first.value.text ?? ''))
  if (first.value.key === null && !isBareChat) {
    let member: JsonMember | null = first.value
    while (member !== null) {
      notes.line = member.line
      yield* readDocument(run, memberValue(member, run))
      yield* notes.take()
      const next: IteratorResult<JsonMember> = await members.next()
      member = next.done ? null : next.value
    }
    return
  }
  const document = isBareChat
    ? await collect(run, asMessage(first.value), asMessages(members))
    : await collect(run, first.value, members)
  notes.line = first.value.line
  if (document !== null) yield* readDocument(run, document)
  yield* notes.take()
}

/** A document that is a list of chat messages is read as one that has them in a field. */
function asMessage(member: JsonMember): JsonMember {
  return { ...member, key: 'messages', isElement: true }
}

async function* asMessages(members: AsyncIterable<JsonMember>): AsyncGenerator<JsonMember> {
  for await (const member of members) yield asMessage(member)
}

/** The members of a document up to where it is damaged; the damage is noted. */
async function* withoutFaults(run: ImportRun, members: AsyncIterable<JsonMember>): AsyncGenerator<JsonMember> {
  const { notes, options } = run
  try {
    for await (const member of members) {
      options.signal.throwIfAborted()
      yield member
    }
  } catch (error) {
    if (!(error instanceof DamagedDocumentError)) throw error
    notes.line = error.line
    notes.note({ reason: 'damaged', what: error.message })
  }
}

/** The value of a member; undefined, and noted, where there is none. */
function memberValue({ text, fault }: JsonMember, { notes }: ImportRun): unknown {
  if (text === null) {
    notes.note({ reason: fault ?? 'too-long', what: 'A value of the document' })
    return undefined
  }
  const value = readJson(text)
  if (value === undefined) notes.note({ reason: 'damaged', what: 'A value that is not JSON' })
  return value
}

/** An object from its members, as long as they are not too large together. */
async function collect(
  run: ImportRun,
  first: JsonMember,
  rest: AsyncIterable<JsonMember>,
): Promise<Readonly<Record<string, unknown>> | null> {
  const fields = new Map<string, unknown>()
  const lists = new Map<string, unknown[]>()
  let characters = 0
  const add = (member: JsonMember): boolean => {
    const { key, text, isElement } = member
    run.notes.line = member.line
    characters += text?.length ?? 0
    const value = memberValue(member, run)
    if (key === null || value === undefined) return true
    const list = lists.get(key)
    if (!isElement) fields.set(key, value)
    else if (list) list.push(value)
    else lists.set(key, [value])
    return characters <= run.options.limits.documentChars
  }
  if (!add(first)) return null
  for await (const member of rest) {
    if (add(member)) continue
    run.notes.note({ reason: 'too-long', what: `A document of more than ${characters} characters` })
    return null
  }
  return { ...Object.fromEntries(fields), ...Object.fromEntries(lists) }
}

async function* readDocument(run: ImportRun, document: unknown): AsyncGenerator<ImportEvent> {
  const { notes } = run
  if (document === undefined) return
  const format = documentFormatOf(document)
  if (!format) {
    notes.note({ reason: 'unknown-format', what: 'A document of a format that is not known' })
    return
  }
  if (!takesFormat(run, format.name)) return
  if (run.format === null) yield { type: 'format-detected', format: format.name }
  run.format ??= format.name
  yield* conversationsOf(run, format, document)
}

/** What is left out between two conversations counts for the second one. */
async function* conversationsOf(
  run: ImportRun,
  format: DocumentFormat,
  document: unknown,
): AsyncGenerator<ImportEvent> {
  const { notes } = run
  let skippedBefore = notes.contentCount()
  for (const source of format.conversations(document, notes.note)) {
    yield* writeConversation(run, { format: format.name, source, skippedBefore, isNamedByWords: false })
    skippedBefore = notes.contentCount()
  }
}
