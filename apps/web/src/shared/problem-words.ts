import type { RequestFailedError } from '@holdfast/client'
import type { Problem, ProblemCode } from '@holdfast/protocol'
import { contradictionWords } from './contradiction-words.ts'
import { say } from './language/say.ts'

/** What each code is called, and whether that says too little without the server's own words. */
const NEEDS_DETAIL: Readonly<Record<`problem.${ProblemCode | 'not-reached'}`, boolean>> = {
  'problem.already-answered': false,
  'problem.command-reused': false,
  'problem.email-taken': false,
  'problem.input-not-waiting': false,
  'problem.internal': false,
  'problem.last-admin': false,
  'problem.missing-blob': false,
  'problem.no-accounts': false,
  'problem.no-base': false,
  'problem.no-folder': false,
  'problem.no-terminals': false,
  'problem.no-voice': false,
  'problem.not-reached': false,
  'problem.nothing-runs': false,
  'problem.nothing-to-restore': false,
  'problem.run-active': false,
  'problem.scope-not-offered': false,
  'problem.unauthorized': false,
  'problem.unknown-agent': false,
  'problem.unknown-attachment': false,
  'problem.unknown-checkpoint': false,
  'problem.unknown-conversation': false,
  'problem.unknown-element': false,
  'problem.unknown-import': false,
  'problem.unknown-key': false,
  'problem.unknown-memory': false,
  'problem.unknown-message': false,
  'problem.unknown-permission-request': false,
  'problem.unknown-preset': false,
  'problem.unknown-preview': false,
  'problem.unknown-process': false,
  'problem.unknown-provider': false,
  'problem.unknown-question': false,
  'problem.unknown-result': false,
  'problem.unknown-rule': false,
  'problem.unknown-schedule': false,
  'problem.unknown-session': false,
  'problem.unknown-step': false,
  'problem.unknown-terminal': false,
  'problem.unknown-workspace': false,
  'problem.unknown-worktree': false,
  'problem.answer-refused': true,
  'problem.bad-element': true,
  'problem.bad-request': true,
  'problem.bad-schedule': true,
  'problem.bad-signature': true,
  'problem.canvas-full': true,
  'problem.conflict': true,
  'problem.damaged-log': true,
  'problem.erasure-refused': true,
  'problem.file-changed': true,
  'problem.file-refused': true,
  'problem.folder-refused': true,
  'problem.forbidden': true,
  'problem.media-refused': true,
  'problem.newer-entry': true,
  'problem.not-found': true,
  'problem.not-ready': true,
  'problem.not-yours': true,
  'problem.path-refused': true,
  'problem.preview-refused': true,
  'problem.provider-not-stored': true,
  'problem.rule-refused': true,
  'problem.setting-fixed': true,
  'problem.settings-contradict': true,
  'problem.storage-full': true,
  'problem.store-read-failed': true,
  'problem.store-write-failed': true,
  'problem.terminal-not-started': true,
  'problem.too-large': true,
  'problem.too-many-agents': true,
  'problem.too-many-follows': true,
  'problem.too-many-imports': true,
  'problem.too-many-lines': true,
  'problem.too-many-requests': true,
  'problem.too-many-terminals': true,
  'problem.unknown-mcp-server': true,
  'problem.unknown-model': true,
  'problem.unknown-setting': true,
  'problem.unknown-user': true,
  'problem.unsupported-media-type': true,
  'problem.voice-failed': true,
  'problem.workspace-not-permitted': true,
  'problem.worktree-refused': true,
  'problem.wrong-host': true,
  'problem.wrong-origin': true,
  'problem.wrong-password': true,
}

/** What words are made of. */
type ToldProblem = Pick<Problem, 'code' | 'detail' | 'contradictions'>

/**
 * Why the server did not do something, in the page's language. What only the server knows is added in its own English,
 * and a code of a newer server has that alone. [UI8]
 */
export function problemText({ code, detail, contradictions }: ToldProblem): string {
  const key = `problem.${code}`
  if (!isKnown(key)) return detail
  const words = say(key)
  const own = contradictions ? contradictionWords(contradictions) : null
  // Words that are a sentence end as one where they stand alone.
  return NEEDS_DETAIL[key]
    ? say('problem.with-detail', { words: words.replace(/[.。]$/, ''), detail: own ?? detail })
    : words
}

function isKnown(key: string): key is keyof typeof NEEDS_DETAIL {
  return Object.hasOwn(NEEDS_DETAIL, key)
}

/** The words for a request or a command that failed. */
export function errorText({ code, message, problem }: RequestFailedError): string {
  return problemText({ ...problem, code, detail: message })
}
