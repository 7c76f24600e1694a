import type { Json } from '@holdfast/conversation'
import { Ajv, type ErrorObject, type FuncKeywordDefinition, str } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type * as z from 'zod'

/** One thing that is wrong with an input, and where. */
export interface InputIssue {
  /** Such as `edits[0].path`; empty for the input as a whole. */
  readonly path: string
  readonly message: string
}

/** The input as the tool takes it, or what is wrong with it. [TOOL1] */
export type InputCheck =
  | { readonly type: 'valid'; readonly input: unknown }
  | { readonly type: 'invalid'; readonly issues: readonly InputIssue[] }

const MAX_ISSUES = 20
/** `addUsedSchema: false`: schemas of different servers may bear the same `$id`. */
const OPTIONS = { strict: false, allErrors: true, validateFormats: false, logger: false, addUsedSchema: false } as const

/** A compiler holds the schemas of its drafts: it is made for the first tool that needs it. */
let newestDraft: Ajv2020 | null = null
let olderDraft: Ajv | null = null

const META = 'https://json-schema.org/draft/2020-12'
/** What the schema of schemas is made of: compiled in one go with the first schema it would hold others up for 60 ms. */
const META_PARTS = ['core', 'applicator', 'unevaluated', 'validation', 'meta-data', 'format-annotation', 'content']
let isPrepared = false

/** Checks an input by a zod schema. */
export function checkByZod(schema: z.ZodType, input: Json): InputCheck {
  const parsed = schema.safeParse(input)
  if (parsed.success) return { type: 'valid', input }
  return invalid(parsed.error.issues.map(({ path, message }) => ({ path: pathOf(path), message })))
}

/**
 * A check by JSON Schema: draft 2020-12 unless the schema names an older one. A schema that cannot be compiled
 * makes every input invalid, and says why: a call is never run unchecked.
 */
export function checkBySchema(schema: Json): (input: Json) => InputCheck {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    return () => invalid([{ path: '', message: 'The schema of this tool is not an object' }])
  }
  prepareOnce()
  // Compiled at the first call: a server may list thousands of tools of which few are ever called.
  let check: ((input: Json) => InputCheck) | null = null
  return (input) => {
    check ??= compile(schema)
    return check(input)
  }
}

function compile(schema: object): (input: Json) => InputCheck {
  // An asynchronous schema answers with a promise, which is not a yes.
  if (JSON.stringify(schema).includes('"$async"')) {
    return () => invalid([{ path: '', message: 'The schema of this tool is asynchronous, which is not supported' }])
  }
  const draft = compilerFor(schema)
  try {
    const validate = draft.compile(schema)
    return (input) => (validate(input) ? { type: 'valid', input } : invalid((validate.errors ?? []).map(issueOf)))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return () => invalid([{ path: '', message: `The schema of this tool cannot be used: ${message.slice(0, 300)}` }])
  } finally {
    // The compiler would keep every schema that it has seen.
    draft.removeSchema(schema)
  }
}

function compilerFor(schema: object): Ajv | Ajv2020 {
  if ('$schema' in schema && /draft-0[4-7]/.test(String(schema.$schema))) {
    olderDraft ??= withQuickLengths(new Ajv(OPTIONS))
    return olderDraft
  }
  newestDraft ??= withQuickLengths(new Ajv2020(OPTIONS))
  return newestDraft
}

/** The parts of the schema of schemas are compiled one by one, before the first schema is and while others have their turn. */
function prepareOnce(): void {
  if (isPrepared) return
  isPrepared = true
  const left = [...META_PARTS.map((part) => `${META}/meta/${part}`), `${META}/schema`]
  const prepare = (): void => {
    const next = left.shift()
    if (next === undefined) return
    compilerFor({}).getSchema(next)
    setImmediate(prepare).unref()
  }
  setImmediate(prepare).unref()
}

/** Lengths are of characters: those of a long text are counted only where its UTF-16 length leaves the answer open. */
function withQuickLengths<Draft extends Ajv>(draft: Draft): Draft {
  draft.removeKeyword('minLength').addKeyword(lengthKeyword('minLength'))
  draft.removeKeyword('maxLength').addKeyword(lengthKeyword('maxLength'))
  return draft
}

function lengthKeyword(keyword: 'minLength' | 'maxLength'): FuncKeywordDefinition {
  const isLeast = keyword === 'minLength'
  return {
    keyword,
    type: 'string',
    schemaType: 'number',
    compile: (limit: number) => (text: string) =>
      isLeast ? hasCharacters(text, limit) : !hasCharacters(text, limit + 1),
    error: {
      message: ({ schemaCode }) => str`must NOT have ${isLeast ? 'fewer' : 'more'} than ${schemaCode} characters`,
    },
  }
}

/** Whether a text has at least so many characters; each is one or two units of UTF-16. */
function hasCharacters(text: string, count: number): boolean {
  if (text.length < count) return false
  if (text.length >= 2 * count) return true
  let found = 0
  for (let at = 0; at < text.length && found < count; found++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return found >= count
}

/** What is wrong, as the model reads it. */
export function issuesInWords(name: string, issues: readonly InputIssue[]): string {
  const lines = issues.map(({ path, message }) => `- ${path === '' ? 'input' : path}: ${message}`)
  return `The input of ${name} does not fit its schema. Nothing was run.\n${lines.join('\n')}`
}

function invalid(issues: readonly InputIssue[]): InputCheck {
  return { type: 'invalid', issues: issues.slice(0, MAX_ISSUES) }
}

function issueOf({ instancePath, keyword, params, message }: ErrorObject): InputIssue {
  const keys = instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  const named =
    keyword === 'required'
      ? params.missingProperty
      : keyword === 'additionalProperties'
        ? params.additionalProperty
        : undefined
  if (typeof named === 'string') keys.push(named)
  return { path: pathOf(keys.map((key) => (/^\d+$/.test(key) ? Number(key) : key))), message: message ?? keyword }
}

function pathOf(keys: readonly PropertyKey[]): string {
  return keys
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`))
    .join('')
}
