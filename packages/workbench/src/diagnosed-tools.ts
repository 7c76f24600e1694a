import { type ChangedFile, checkedInWords, type LanguageServers, languageOf } from '@holdfast/language-servers'
import { type BlobSink, type FileChange, isToolReturn, type Tool, type ToolContext } from '@holdfast/tool'
import { readWorkspaceText, type Workspace } from '@holdfast/toolbox'

/** What the tools of one conversation are looked at with. */
export interface DiagnosedDeps {
  readonly servers: Pick<LanguageServers, 'check'>
  readonly workspace: Workspace
  /** Whether the conversation wants it now. */
  readonly isWanted: () => boolean
}

/** Tools whose results say what a call broke. */
export interface Diagnosed {
  /** The same tool, with that told by its result. */
  tool(tool: Tool): Tool
  /** The same sink, for all that the tools change: what passes it is what was before and what came after. */
  sink(blobSink: BlobSink): BlobSink
}

/** Changes that nobody could be asked about yet are looked at with the next one. */
const MOST_WAITING = 20

/**
 * Has the result of each call that changed files say which errors are new since then. What the call did and answered stays
 * as it is. [WS31]
 */
export function createDiagnosed(deps: DiagnosedDeps): Diagnosed {
  const texts = createKeptTexts()
  /** By path: what stood there when it was last looked at. */
  const waiting = new Map<string, ChangedFile>()

  async function told(changes: readonly FileChange[]): Promise<string | null> {
    const shared = new Set(changes.filter(({ seen }) => seen === 'with-others').map(({ path }) => path))
    for (const change of changes) note(change)
    const looked = [...waiting.values()]
    if (looked.length === 0) return null
    const { rootPath, readable } = deps.workspace
    const checked = await deps.servers.check({
      rootPath,
      readable,
      changes: looked,
      readText: (path) => readWorkspaceText(deps.workspace, path),
    })
    for (const one of checked) if (one.type === 'checked') forget(one.language)
    // What somebody else may have written is counted and not quoted. [PERM7]
    return checkedInWords(checked, new Set(looked.map(({ path }) => path).filter((path) => !shared.has(path))))
  }

  function note({ path, kind, entity, before, after }: FileChange): void {
    if (entity !== undefined || languageOf(path) === null) return
    const old = waiting.get(path)
    const body = { before: texts.find(before), after: texts.find(after) }
    // What is long, or no text, cannot be compared.
    if ((kind !== 'created' && body.before === null) || (kind !== 'deleted' && body.after === null)) return
    waiting.delete(path)
    waiting.set(path, { path, before: old === undefined ? body.before : old.before, after: body.after })
    const oldest = waiting.keys().next()
    if (waiting.size > MOST_WAITING && oldest.done !== true) waiting.delete(oldest.value)
  }

  function forget(language: string): void {
    for (const path of [...waiting.keys()]) if (languageOf(path)?.name === language) waiting.delete(path)
  }

  async function run(tool: Tool, input: unknown, context: ToolContext): Promise<unknown> {
    const changes: FileChange[] = []
    const answer = await tool.run(input, {
      ...context,
      report(effect) {
        if (effect.type === 'files-changed') changes.push(...effect.changes)
        context.report(effect)
      },
    })
    if (changes.length === 0 || !deps.isWanted()) return answer
    return withText(answer, await told(changes))
  }

  return {
    tool: (tool) =>
      tool.definition.annotations?.readOnly === true
        ? tool
        : { ...tool, run: (input, context) => run(tool, input, context) },
    sink: (blobSink) => ({
      async keep(content, options) {
        const passing = texts.passing(content)
        const body = await blobSink.keep(passing.content, options)
        passing.keep(body.hash)
        return body
      },
    }),
  }
}

/** A longer text is left to those who read it. */
const LONGEST_BYTES = 1 << 20
/** Of all texts together. */
const MOST_BYTES = 16 << 20

/** Texts by their hash, the newest of them: they are looked at right after they were kept. */
function createKeptTexts() {
  const kept = new Map<string, Buffer>()
  let sizeBytes = 0

  function keep(hash: string, bytes: Buffer): void {
    sizeBytes += bytes.byteLength - (kept.get(hash)?.byteLength ?? 0)
    kept.delete(hash)
    kept.set(hash, bytes)
    for (const [old, { byteLength }] of kept) {
      if (sizeBytes <= MOST_BYTES) break
      kept.delete(old)
      sizeBytes -= byteLength
    }
  }

  return {
    /** Null where there is none, or it is no text. */
    find(body: FileChange['before']): string | null {
      const bytes = body === undefined ? undefined : kept.get(body.hash)
      return bytes === undefined || bytes.includes(0) ? null : bytes.toString('utf8')
    },
    /** The content as it is; once all of it has passed it can be kept here too. */
    passing(content: AsyncIterable<Uint8Array>) {
      const pieces: Uint8Array[] = []
      let passedBytes = 0
      async function* passed(): AsyncGenerator<Uint8Array> {
        for await (const piece of content) {
          passedBytes += piece.byteLength
          if (passedBytes <= LONGEST_BYTES) pieces.push(piece)
          yield piece
        }
      }
      return {
        content: passed(),
        keep(hash: string): void {
          if (passedBytes <= LONGEST_BYTES) keep(hash, Buffer.concat(pieces))
        },
      }
    },
  }
}

function withText(answer: unknown, text: string | null): unknown {
  if (text === null) return answer
  if (typeof answer === 'string') return `${answer}\n\n${text}`
  return isToolReturn(answer) ? { ...answer, text: `${answer.text}\n\n${text}` } : answer
}
