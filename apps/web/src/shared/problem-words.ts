import type { RequestFailedError } from '@holdfast/client'
import type { Problem, ProblemCode } from '@holdfast/protocol'
import { contradictionWords } from './contradiction-words.ts'
import { type PlainKey, say } from './language/say.ts'

/** What a code is called, and whether that says too little without the server's own words. */
interface ProblemWords {
  readonly words: PlainKey
  readonly needsDetail: boolean
}

const PROBLEMS: Readonly<Record<ProblemCode | 'not-reached', ProblemWords>> = {
  'bad-request': { words: 'problem.bad-request', needsDetail: true },
  unauthorized: { words: 'problem.unauthorized', needsDetail: false },
  forbidden: { words: 'problem.forbidden', needsDetail: true },
  'wrong-password': { words: 'problem.wrong-password', needsDetail: true },
  'no-accounts': { words: 'problem.no-accounts', needsDetail: false },
  'email-taken': { words: 'problem.e-mail-taken', needsDetail: false },
  'last-admin': { words: 'problem.last-admin', needsDetail: false },
  'too-many-requests': { words: 'problem.too-many-requests', needsDetail: true },
  'unknown-user': { words: 'problem.unknown-user', needsDetail: true },
  'unknown-session': { words: 'problem.unknown-session', needsDetail: false },
  'unknown-key': { words: 'problem.unknown-key', needsDetail: false },
  'unknown-provider': { words: 'problem.unknown-provider', needsDetail: false },
  'unknown-mcp-server': { words: 'problem.unknown-mcp-server', needsDetail: true },
  'provider-not-stored': { words: 'problem.provider-not-stored', needsDetail: true },
  'wrong-host': { words: 'problem.wrong-host', needsDetail: true },
  'wrong-origin': { words: 'problem.wrong-origin', needsDetail: true },
  'not-found': { words: 'problem.not-found', needsDetail: true },
  'unknown-conversation': { words: 'problem.unknown-conversation', needsDetail: false },
  'unknown-agent': { words: 'problem.unknown-agent', needsDetail: false },
  'too-many-agents': { words: 'problem.too-many-agents', needsDetail: true },
  'unknown-model': { words: 'problem.unknown-model', needsDetail: true },
  'no-base': { words: 'problem.no-base', needsDetail: false },
  'run-active': { words: 'problem.run-active', needsDetail: false },
  'unknown-checkpoint': { words: 'problem.unknown-checkpoint', needsDetail: false },
  'unknown-step': { words: 'problem.unknown-step', needsDetail: false },
  'unknown-message': { words: 'problem.unknown-message', needsDetail: false },
  'unknown-result': { words: 'problem.unknown-result', needsDetail: false },
  'unknown-permission-request': { words: 'problem.unknown-permission-request', needsDetail: false },
  'unknown-workspace': { words: 'problem.unknown-workspace', needsDetail: false },
  'unknown-preset': { words: 'problem.unknown-preset', needsDetail: false },
  'unknown-schedule': { words: 'problem.unknown-schedule', needsDetail: false },
  'no-voice': { words: 'problem.no-audio-server', needsDetail: false },
  'voice-failed': { words: 'problem.audio-server-failed', needsDetail: true },
  'bad-schedule': { words: 'problem.bad-schedule', needsDetail: true },
  'bad-signature': { words: 'problem.bad-signature', needsDetail: true },
  'unknown-worktree': { words: 'problem.unknown-worktree', needsDetail: false },
  'worktree-refused': { words: 'problem.worktree-refused', needsDetail: true },
  'no-terminals': { words: 'problem.no-terminals', needsDetail: false },
  'no-folder': { words: 'problem.no-folder', needsDetail: false },
  'unknown-terminal': { words: 'problem.unknown-terminal', needsDetail: false },
  'too-many-terminals': { words: 'problem.too-many-terminals', needsDetail: true },
  'terminal-not-started': { words: 'problem.terminal-not-started', needsDetail: true },
  'unknown-process': { words: 'problem.unknown-process', needsDetail: false },
  'unknown-preview': { words: 'problem.unknown-preview', needsDetail: false },
  'preview-refused': { words: 'problem.preview-refused', needsDetail: true },
  'folder-refused': { words: 'problem.folder-refused', needsDetail: true },
  'file-refused': { words: 'problem.file-refused', needsDetail: true },
  'file-changed': { words: 'problem.file-changed', needsDetail: true },
  'unknown-question': { words: 'problem.unknown-question', needsDetail: false },
  'rule-refused': { words: 'problem.rule-refused', needsDetail: true },
  'answer-refused': { words: 'problem.answer-refused', needsDetail: true },
  'unknown-setting': { words: 'problem.unknown-setting', needsDetail: true },
  'setting-fixed': { words: 'problem.setting-fixed', needsDetail: true },
  'settings-contradict': { words: 'problem.settings-contradict', needsDetail: true },
  'workspace-not-permitted': { words: 'problem.workspace-not-permitted', needsDetail: true },
  'scope-not-offered': { words: 'problem.scope-not-offered', needsDetail: false },
  'input-not-waiting': { words: 'problem.input-not-waiting', needsDetail: false },
  'path-refused': { words: 'problem.path-refused', needsDetail: true },
  'erasure-refused': { words: 'problem.erasure-refused', needsDetail: true },
  'unknown-element': { words: 'problem.unknown-element', needsDetail: false },
  'bad-element': { words: 'problem.bad-element', needsDetail: true },
  'media-refused': { words: 'problem.media-refused', needsDetail: true },
  'canvas-full': { words: 'problem.canvas-full', needsDetail: true },
  'already-answered': { words: 'problem.already-answered', needsDetail: false },
  'not-yours': { words: 'problem.not-yours', needsDetail: true },
  'nothing-to-restore': { words: 'problem.nothing-to-restore', needsDetail: false },
  'unknown-rule': { words: 'problem.unknown-rule', needsDetail: false },
  'unknown-memory': { words: 'problem.unknown-memory', needsDetail: false },
  'unknown-attachment': { words: 'problem.unknown-attachment', needsDetail: false },
  'unknown-import': { words: 'problem.unknown-import', needsDetail: false },
  'missing-blob': { words: 'problem.missing-blob', needsDetail: false },
  'unsupported-media-type': { words: 'problem.unsupported-media-type', needsDetail: true },
  'too-large': { words: 'problem.too-large', needsDetail: true },
  'storage-full': { words: 'problem.storage-full', needsDetail: true },
  'too-many-imports': { words: 'problem.too-many-imports', needsDetail: true },
  'too-many-follows': { words: 'problem.too-many-follows', needsDetail: true },
  'too-many-lines': { words: 'problem.too-many-lines', needsDetail: true },
  'command-reused': { words: 'problem.command-reused', needsDetail: false },
  conflict: { words: 'problem.conflict', needsDetail: true },
  'nothing-runs': { words: 'problem.nothing-runs', needsDetail: false },
  'damaged-log': { words: 'problem.damaged-log', needsDetail: true },
  'newer-entry': { words: 'problem.newer-entry', needsDetail: true },
  'store-write-failed': { words: 'problem.store-write-failed', needsDetail: true },
  'store-read-failed': { words: 'problem.store-read-failed', needsDetail: true },
  'not-ready': { words: 'problem.not-ready', needsDetail: true },
  internal: { words: 'problem.internal', needsDetail: false },
  'not-reached': { words: 'problem.not-reached', needsDetail: false },
}

const BY_CODE: ReadonlyMap<string, ProblemWords> = new Map(Object.entries(PROBLEMS))

/** What words are made of. */
type ToldProblem = Pick<Problem, 'code' | 'detail' | 'contradictions'>

/**
 * Why the server did not do something, in the page's language. What only the server knows is added in its own English,
 * and a code of a newer server has that alone. [UI8]
 */
export function problemText({ code, detail, contradictions }: ToldProblem): string {
  const known = BY_CODE.get(code)
  if (!known) return detail
  const words = say(known.words)
  const own = contradictions ? contradictionWords(contradictions) : null
  // Words that are a sentence end as one where they stand alone.
  return known.needsDetail
    ? say('problem.with-detail', { words: words.replace(/[.。]$/, ''), detail: own ?? detail })
    : words
}

/** The words for a request or a command that failed. */
export function errorText({ code, message, problem }: RequestFailedError): string {
  return problemText({ ...problem, code, detail: message })
}
