import type {
  AppendConflictError,
  CommandReusedError,
  DamagedBlobError,
  DamagedLogError,
  ErasureRefusedError,
  MalformedEntryError,
  MissingBlobError,
  NewerEntryError,
  StoreReadError,
  StoreWriteError,
} from '@holdfast/conversation'
import { type RefusalCode, RefusedCommandError, SettingsContradictError } from '@holdfast/engine'
import {
  frameProblem,
  inputWords,
  type Problem,
  type ProblemCode,
  type ProblemStatus,
  ProtocolError,
  problem,
} from '@holdfast/protocol'
import * as z from 'zod'

/** A request cannot be carried out, for a reason that its sender can do something about. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly code: ProblemCode
  readonly status: ProblemStatus

  constructor(status: ProblemStatus, code: ProblemCode, message: string) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** What is too much now may be asked again: `waitMs` says after how long, and the answer as `retry-after`. [SCHED40] */
export class RefusedForNowError extends RefusedError {
  readonly waitMs: number

  constructor(message: string, waitMs: number) {
    super(429, 'too-many-requests', message)
    this.waitMs = waitMs
  }
}

/** The status of each command that the engine refuses; a code without one does not compile. */
const REFUSAL_STATUS: Readonly<Record<RefusalCode, ProblemStatus>> = {
  'unknown-conversation': 404,
  'unknown-permission-request': 404,
  'unknown-question': 404,
  'unknown-checkpoint': 404,
  'unknown-message': 404,
  'unknown-result': 404,
  'unknown-element': 404,
  'no-base': 409,
  'run-active': 409,
  'input-not-waiting': 409,
  'already-answered': 409,
  'nothing-to-restore': 409,
  conflict: 409,
  'too-large': 413,
  'unknown-agent': 422,
  'unknown-preset': 422,
  'unknown-model': 422,
  'workspace-not-permitted': 422,
  'answer-refused': 422,
  'scope-not-offered': 422,
  'settings-contradict': 422,
  'rule-refused': 422,
  'path-refused': 422,
  'bad-element': 422,
  'canvas-full': 422,
  'not-yours': 422,
}

/** What a log or its store throws that people are told of by a code. */
type LogError =
  | AppendConflictError
  | CommandReusedError
  | DamagedBlobError
  | DamagedLogError
  | ErasureRefusedError
  | MalformedEntryError
  | MissingBlobError
  | NewerEntryError
  | StoreReadError
  | StoreWriteError

/** How each of them is told; one without a line does not compile. */
const LOG_ERRORS: Readonly<Record<LogError['name'], readonly [ProblemStatus, ProblemCode]>> = {
  AppendConflictError: [409, 'conflict'],
  CommandReusedError: [409, 'command-reused'],
  ErasureRefusedError: [422, 'erasure-refused'],
  MalformedEntryError: [422, 'bad-request'],
  MissingBlobError: [422, 'missing-blob'],
  DamagedBlobError: [500, 'damaged-log'],
  DamagedLogError: [500, 'damaged-log'],
  NewerEntryError: [500, 'newer-entry'],
  StoreReadError: [503, 'store-read-failed'],
  StoreWriteError: [503, 'store-write-failed'],
}

/** What a person is told who is no admin, or is not known: neither the address of a database nor a file of this machine. [SCALE31] */
export function withoutPlaces(told: Problem): Problem {
  switch (told.code) {
    case 'store-read-failed':
      return { ...told, detail: 'The store of this server cannot be read now; try again' }
    case 'store-write-failed':
      return { ...told, detail: 'The store of this server cannot be written to now; try again' }
  }
  return told
}

/** What the sender is told of an error. What is not expected is `internal`, without its message. */
export function toProblem(error: unknown): Problem {
  if (error instanceof RefusedError) return problem(error.status, error.code, error.message)
  if (error instanceof SettingsContradictError) return contradiction(error)
  if (error instanceof RefusedCommandError) return problem(REFUSAL_STATUS[error.code], error.code, error.message)
  if (error instanceof z.ZodError) return problem(400, 'bad-request', inputWords(error, 'What was sent'))
  if (error instanceof ProtocolError) return frameProblem(error, inputWords)
  if (isLogError(error)) return problem(...LOG_ERRORS[error.name], error.message)
  return fromHttp(error)
}

function contradiction({ code, message, problems }: SettingsContradictError): Problem {
  const contradictions = problems.map(({ code: kind, value, limit, keys }) => ({
    code: kind,
    value,
    limit,
    settings: [...keys],
  }))
  return { ...problem(REFUSAL_STATUS[code], code, message), contradictions }
}

function isLogError(error: unknown): error is LogError {
  return error instanceof Error && Object.hasOwn(LOG_ERRORS, error.name)
}

/** What the HTTP server itself refuses: bodies that are too large, of another type, or not JSON. */
function fromHttp(error: unknown): Problem {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : null
  const detail = error instanceof Error ? error.message : ''
  switch (status) {
    case 400:
      return problem(400, 'bad-request', detail)
    case 403:
    case 404:
      return problem(404, 'not-found', detail)
    case 413:
      return problem(413, 'too-large', detail)
    case 414:
      return problem(404, 'not-found', 'The address is too long; no id is')
    case 415:
      return problem(415, 'unsupported-media-type', detail)
    default:
      return problem(500, 'internal', 'The server failed to answer. Its log says why; try again.')
  }
}
