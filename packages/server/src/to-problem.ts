import {
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
import {
  AnswerRefusedError,
  CanvasRefusedError,
  InputNotWaitingError,
  PathRefusedError,
  RuleRefusedError,
  RunActiveError,
  ScopeNotOfferedError,
  UnknownAgentError,
  UnknownCheckpointError,
  UnknownConversationError,
  UnknownMessageError,
  UnknownModelError,
  UnknownPermissionRequestError,
  UnknownQuestionError,
  UnknownResultError,
  WorkspaceNotPermittedError,
} from '@holdfast/engine'
import { type Problem, type ProblemCode, type ProblemStatus, ProtocolError, problem } from '@holdfast/protocol'
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

/** What the sender is told of an error. What is not expected is `internal`, without its message. */
export function toProblem(error: unknown): Problem {
  if (error instanceof RefusedError) return problem(error.status, error.code, error.message)
  if (error instanceof z.ZodError) return problem(400, 'bad-request', z.prettifyError(error))
  if (error instanceof ProtocolError) return problem(400, 'bad-request', error.message)
  if (error instanceof UnknownConversationError) return problem(404, 'unknown-conversation', error.message)
  if (error instanceof UnknownPermissionRequestError) return problem(404, 'unknown-permission-request', error.message)
  if (error instanceof UnknownQuestionError) return problem(404, 'unknown-question', error.message)
  if (error instanceof AnswerRefusedError) return problem(422, 'answer-refused', error.message)
  if (error instanceof ScopeNotOfferedError) return problem(422, 'scope-not-offered', error.message)
  if (error instanceof RuleRefusedError) return problem(422, 'rule-refused', error.message)
  if (error instanceof UnknownCheckpointError) return problem(404, 'unknown-checkpoint', error.message)
  if (error instanceof CanvasRefusedError) return canvasProblem(error)
  if (error instanceof UnknownMessageError) return problem(404, 'unknown-message', error.message)
  if (error instanceof UnknownResultError) return problem(404, 'unknown-result', error.message)
  if (error instanceof RunActiveError) return problem(409, 'run-active', error.message)
  if (error instanceof UnknownAgentError) return problem(422, 'unknown-agent', error.message)
  if (error instanceof UnknownModelError) return problem(422, 'unknown-model', error.message)
  if (error instanceof WorkspaceNotPermittedError) return problem(422, 'workspace-not-permitted', error.message)
  if (error instanceof InputNotWaitingError) return problem(409, 'input-not-waiting', error.message)
  if (error instanceof PathRefusedError) return problem(422, 'path-refused', error.message)
  if (error instanceof ErasureRefusedError) return problem(422, 'erasure-refused', error.message)
  if (error instanceof MissingBlobError) return problem(422, 'missing-blob', error.message)
  if (error instanceof CommandReusedError) return problem(409, 'command-reused', error.message)
  if (error instanceof AppendConflictError) return problem(409, 'conflict', error.message)
  if (error instanceof MalformedEntryError) return problem(422, 'bad-request', error.message)
  if (error instanceof DamagedLogError || error instanceof DamagedBlobError)
    return problem(500, 'damaged-log', error.message)
  if (error instanceof NewerEntryError) return problem(500, 'newer-entry', error.message)
  if (error instanceof StoreWriteError) return problem(503, 'store-write-failed', error.message)
  if (error instanceof StoreReadError) return problem(503, 'store-read-failed', error.message)
  return fromHttp(error)
}

function canvasProblem({ code, message }: CanvasRefusedError): Problem {
  switch (code) {
    case 'unknown-element':
      return problem(404, code, message)
    case 'too-large':
      return problem(413, code, message)
    case 'already-answered':
    case 'nothing-to-restore':
      return problem(409, code, message)
    case 'bad-element':
    case 'canvas-full':
    case 'not-yours':
      return problem(422, code, message)
    case 'stopped':
      return problem(409, 'conflict', message)
  }
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
