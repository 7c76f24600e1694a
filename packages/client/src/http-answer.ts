import { API_PATH, Problem } from '@holdfast/protocol'
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
