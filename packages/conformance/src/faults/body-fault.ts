import { gzipSync } from 'node:zlib'
import type { Action } from '../action.ts'
import type { ErrorAnswer, Format } from '../format.ts'
import type { FaultEffect } from './fault.ts'

const HTML =
  '<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n'

type BodyFault = Extract<FaultEffect, { type: 'body' }>['what']

/** The whole response where the body as such is wrong. `stream` are the bytes that would have been right. */
export function bodyFaultActions({
  what,
  format,
  stream,
  wholeBody,
}: {
  readonly what: BodyFault
  readonly format: Format
  readonly stream: () => Uint8Array
  readonly wholeBody: () => string
}): readonly Action[] {
  const right = { 'content-type': format.wire.contentType, ...format.wire.headers }
  switch (what) {
    case 'wrong-content-type':
      return whole({ ...right, 'content-type': 'text/plain; charset=utf-8' }, Buffer.from('upstream not ready\n'))
    case 'html':
      return whole({ 'content-type': 'text/html' }, Buffer.from(HTML))
    case 'gzip':
      return whole({ ...right, 'content-encoding': 'gzip' }, gzipSync(stream()))
    case 'gzip-cut': {
      const packed = gzipSync(stream())
      return [
        { type: 'head', status: 200, headers: { ...right, 'content-encoding': 'gzip' } },
        { type: 'write', bytes: packed.subarray(0, packed.length >> 1), isDelta: false, deltaBytes: 0 },
        { type: 'drop' },
      ]
    }
    case 'empty-200':
      return whole(right, new Uint8Array())
    case 'json-instead-of-stream':
      return whole({ 'content-type': 'application/json' }, Buffer.from(wholeBody()))
    case 'error-in-200': {
      const { body } = format.error(500, 'internal')
      return whole({ 'content-type': 'application/json' }, Buffer.from(JSON.stringify(body)))
    }
  }
}

function whole(headers: Readonly<Record<string, string>>, bytes: Uint8Array): readonly Action[] {
  return [
    { type: 'head', status: 200, headers },
    { type: 'write', bytes, isDelta: false, deltaBytes: 0 },
    { type: 'finish' },
  ]
}

/** The response of an error answer. */
export function errorActions(error: ErrorAnswer, retryAfterSeconds: number | undefined): readonly Action[] {
  const after: Record<string, string> = retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` }
  return [
    { type: 'head', status: error.status, headers: { 'content-type': 'application/json', ...error.headers, ...after } },
    { type: 'write', bytes: Buffer.from(JSON.stringify(error.body)), isDelta: false, deltaBytes: 0 },
    { type: 'finish' },
  ]
}
