import * as z from 'zod'

/** What went wrong, in words that a program can compare. */
export type ProblemCode =
  | 'bad-request'
  | 'unauthorized'
  | 'forbidden'
  | 'wrong-password'
  | 'no-accounts'
  | 'email-taken'
  | 'last-admin'
  | 'too-many-requests'
  | 'unknown-user'
  | 'unknown-session'
  | 'unknown-key'
  | 'unknown-provider'
  | 'unknown-mcp-server'
  | 'provider-not-stored'
  | 'unknown-setting'
  | 'setting-fixed'
  | 'settings-contradict'
  | 'wrong-host'
  | 'wrong-origin'
  | 'not-found'
  | 'unknown-conversation'
  | 'unknown-agent'
  | 'too-many-agents'
  | 'unknown-model'
  | 'no-base'
  | 'run-active'
  | 'unknown-checkpoint'
  | 'unknown-step'
  | 'unknown-message'
  | 'unknown-result'
  | 'unknown-permission-request'
  | 'unknown-question'
  | 'answer-refused'
  | 'workspace-not-permitted'
  | 'unknown-workspace'
  | 'folder-refused'
  | 'file-refused'
  | 'file-changed'
  | 'unknown-worktree'
  | 'unknown-preset'
  | 'unknown-schedule'
  | 'bad-schedule'
  | 'no-voice'
  | 'voice-failed'
  | 'bad-signature'
  | 'worktree-refused'
  | 'no-terminals'
  | 'no-folder'
  | 'unknown-terminal'
  | 'too-many-terminals'
  | 'terminal-not-started'
  | 'unknown-process'
  | 'unknown-preview'
  | 'preview-refused'
  | 'scope-not-offered'
  | 'input-not-waiting'
  | 'path-refused'
  | 'erasure-refused'
  | 'unknown-element'
  | 'bad-element'
  | 'media-refused'
  | 'canvas-full'
  | 'already-answered'
  | 'not-yours'
  | 'nothing-to-restore'
  | 'unknown-rule'
  | 'rule-refused'
  | 'unknown-memory'
  | 'unknown-attachment'
  | 'unknown-import'
  | 'missing-blob'
  | 'unsupported-media-type'
  | 'too-large'
  | 'storage-full'
  | 'too-many-imports'
  | 'too-many-follows'
  | 'too-many-lines'
  | 'command-reused'
  | 'conflict'
  | 'nothing-runs'
  | 'damaged-log'
  | 'newer-entry'
  | 'store-write-failed'
  | 'store-read-failed'
  | 'not-ready'
  | 'internal'

/** Settings that cannot hold together. A reader takes codes that it does not know. */
const Contradiction = z.object({
  code: z.string().min(1),
  /** What is set, in its own unit, and what it stands against; null where it is no number. */
  value: z.number().nullable(),
  limit: z.number().nullable(),
  /** The names of the settings that are part of it. */
  settings: z.array(z.string()),
})

/**
 * A problem as RFC 9457 has it, with a `code`. A reader takes codes that it does not know: a newer server
 * may have more.
 */
export const Problem = z.object({
  type: z.string(),
  /** The words of the HTTP status. */
  title: z.string(),
  status: z.int().min(400).max(599),
  code: z.string().min(1),
  /** What is so, with the values, and what to do. */
  detail: z.string(),
  /** Of `settings-contradict`: each contradiction without words, for whoever has words of their own. */
  contradictions: z.array(Contradiction).exactOptional(),
})
export type Problem = z.infer<typeof Problem>

/** The media type of a problem. */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json'

const TITLES: Readonly<Record<ProblemStatus, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
}

/** The statuses that problems have. */
export type ProblemStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 422 | 429 | 500 | 503 | 507

/** Makes a problem. */
export function problem(status: ProblemStatus, code: ProblemCode, detail: string): Problem {
  return { type: 'about:blank', title: TITLES[status], status, code, detail }
}
