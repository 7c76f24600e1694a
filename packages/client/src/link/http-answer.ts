import { API_PATH, Problem } from '@holdfast/protocol'
import * as z from 'zod'
import { RequestFailedError } from './request-failed-error.ts'

/** Where a route is with these parameters. */
export function addressOf(
  url: string,
  path: string,
  {
    params,
    query,
  }: { readonly params?: Readonly<Record<string, string>>; readonly query?: Readonly<Record<string, string>> },
): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return `${url}${API_PATH}${filled}${search === '' ? '' : `?${search}`}`
}

/** What an answer that is no success says. */
export async function toFailure(response: Response): Promise<RequestFailedError> {
  const { status } = response
  const problem = Problem.safeParse(await response.json().catch(() => null))
  if (problem.success) return new RequestFailedError(problem.data.detail, { problem: problem.data, status })
  return new RequestFailedError(`The server answered with status ${status}`, { problem: null, status })
}

/** There was no answer. */
export function notReached(cause: unknown): RequestFailedError {
  return new RequestFailedError('The server was not reached', { problem: null, status: null, cause })
}

/**
 * What a successful answer says, read by its schema.
 *
 * @throws {RequestFailedError} when it breaks off, or is not what was promised: something else answers at that address, or another version.
 */
export async function readAs<Answer extends z.ZodType>(answer: Answer, response: Response): Promise<z.infer<Answer>> {
  const text = await response.text().catch((error: unknown) => {
    throw isBrokenLine(error) ? notReached(error) : error
  })
  return understood(response.status, () => answer.parse(JSON.parse(text)))
}

/** Reads what was sent. @throws {RequestFailedError} where that is not what was promised. */
export function understood<Read>(status: number, read: () => Read): Read {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof z.ZodError)) throw cause
    const message = 'What answers there is no Holdfast server, or one of another version'
    throw new RequestFailedError(message, { problem: null, status, cause })
  }
}

/** `fetch` and the bodies of its answers throw a TypeError where there is no line, and a time-out where nothing comes. */
export function isBrokenLine(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')
}
