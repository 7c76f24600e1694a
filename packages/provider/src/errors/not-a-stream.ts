import { ProviderError } from '../model-port.ts'

/** The error of a success that is no stream: what its body says, or that it says nothing of the kind. [RUN9] */
export function notAStream(said: ProviderError, status: number, contentType: string): ProviderError {
  if (contentType.includes('html')) return notAModel('a web page', status)
  if (said.code !== 'internal') return said
  const type = contentType === '' ? 'no type' : contentType
  return new ProviderError('internal', `The provider answered with ${type} instead of a stream: ${said.message}`, {
    status,
  })
}

/** The error of an address at which no model answers: asking again changes nothing. [RUN28] */
export function notAModel(what: string, status: number): ProviderError {
  const words = `The address answers with ${what} and not as a model does; check the base URL`
  return new ProviderError('bad-request', words, { status })
}

/** The error of an answer that ended before anything of it came: it may be asked for again. [RUN5] */
export function emptyAnswer(): ProviderError {
  return new ProviderError('network', 'The provider ended its answer before the first event', {})
}
