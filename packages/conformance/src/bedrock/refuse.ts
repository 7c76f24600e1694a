import type { ErrorMeaning } from '../faults/fault.ts'
import type { ErrorAnswer } from '../format.ts'
import type { Frame } from '../frame.ts'
import type { Refusal } from '../violation.ts'
import { EXCEPTION } from './event-stream.ts'

const INVALID = 'ValidationException'

const ERRORS: Readonly<Record<ErrorMeaning, readonly [exception: string, message: string]>> = {
  auth: ['UnrecognizedClientException', 'The security token included in the request is invalid.'],
  forbidden: ['AccessDeniedException', "You don't have access to the model with the specified model ID."],
  'model-missing': ['ResourceNotFoundException', 'The provided model identifier is invalid.'],
  'bad-request': [INVALID, 'Malformed input request, please reformat your input and try again.'],
  'too-long': [INVALID, 'Input is too long for requested model.'],
  timeout: [
    'ModelTimeoutException',
    'The request took too long to process. Processing time exceeded the model timeout length.',
  ],
  'too-large': ['RequestEntityTooLargeException', 'The request entity is too large.'],
  'rate-limit': ['ThrottlingException', 'Too many tokens, please wait before trying again.'],
  quota: ['ServiceQuotaExceededException', 'Your request exceeds the service quota for your account.'],
  internal: [
    'InternalServerException',
    'The system encountered an unexpected error during processing. Try your request again.',
  ],
  'bad-gateway': ['InternalServerException', 'Bad gateway'],
  unavailable: ['ServiceUnavailableException', 'Bedrock is unable to process your request.'],
  overloaded: ['ServiceUnavailableException', 'Too many connections, please wait before trying again.'],
}

/** One refusal in Bedrock's shape. */
export function refuse(rule: string, path: string, message: string): Refusal {
  return { rule, path, status: 400, message, body: { message } }
}

/** Bedrock's answer for an error that is not the request's fault. */
export function bedrockError(status: number, meaning: ErrorMeaning): ErrorAnswer {
  const [exception, message] = ERRORS[meaning]
  return { status, headers: { 'x-amzn-errortype': exception }, body: { message } }
}

/** An error inside a stream, which begins with a small letter there. */
export function bedrockErrorFrame(meaning: ErrorMeaning): Frame {
  const [exception, message] = ERRORS[meaning]
  const name = exception.charAt(0).toLowerCase() + exception.slice(1)
  return { event: EXCEPTION + name, data: JSON.stringify({ message }), part: 'between' }
}
