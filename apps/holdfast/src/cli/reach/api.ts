import { createRouteApi, RequestFailedError, type RouteApi } from '@holdfast/client'
import { CliError } from '../../cli-error.ts'

/** A running server, as a command of the terminal talks to it: what the client throws comes as a `CliError`. */
export type Api = RouteApi

/** Makes the way to a server. */
export function createApi({ url, token }: { readonly url: string; readonly token: string }): Api {
  const api = createRouteApi({ url, token })
  return {
    url,
    call: (route, asked) => inWords(url, () => api.call(route, asked)),
    upload: (route, asked) => inWords(url, () => api.upload(route, asked)),
    download: (route, asked) => inWords(url, () => api.download(route, asked)),
    async *follow(conversationId, options) {
      try {
        yield* api.follow(conversationId, options)
      } catch (error) {
        throw toCliError(url, error)
      }
    },
  }
}

/** @throws {CliError} `E_NO_SERVER` where it does not answer, and what it refused with otherwise. */
async function inWords<Value>(url: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw toCliError(url, error)
  }
}

function toCliError(url: string, error: unknown): unknown {
  if (!(error instanceof RequestFailedError)) return error
  const { status, problem, message } = error
  if (status === null) {
    const words = `The server at ${url} does not answer. Start it with: holdfast start`
    return new CliError('E_NO_SERVER', 69, words, { cause: error.cause })
  }
  const code = problem === null ? 'UNKNOWN' : problem.code.toUpperCase().replaceAll('-', '_')
  const remedy = problem === null ? '' : (REMEDIES.get(problem.code) ?? '')
  return new CliError(
    `E_${code}`,
    exitCodeOf(status),
    `${remedy === '' ? message : message.replace(/\.$/, '')}${remedy}`,
  )
}

/** What helps in the terminal, which the server does not know of: the command that lists what was named. [CLI9] */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['unknown-model', '. See which there are: holdfast models'],
  ['unknown-agent', '. See which there are: holdfast agents list'],
  ['unknown-conversation', '. See which there are: holdfast list'],
  ['unknown-workspace', '. See which there are: holdfast workspaces'],
  ['unknown-preset', '. See which there are: holdfast presets list'],
  ['unknown-schedule', '. See which there are: holdfast schedule list'],
  ['unknown-preview', '. See which there are: holdfast preview status'],
])

function exitCodeOf(status: number): number {
  switch (status) {
    case 401:
    case 403:
      return 4
    case 404:
      return 3
    case 422:
    case 400:
      return 2
    case 503:
      return 69
    default:
      return 1
  }
}
