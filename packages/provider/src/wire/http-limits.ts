/** How long an HTTP exchange may take, and how much it may hold. */
export interface HttpLimits {
  /** Until the connection stands, TLS included; in milliseconds. */
  readonly connectMs: number
  /** From the request to the headers of the answer; in milliseconds. A model may be silent for long before them. */
  readonly headersMs: number
  /** After the answer's own end: how long to wait for the end of the stream, for figures that follow; in milliseconds. */
  readonly tailMs: number
  /** Size of one event of a stream, in characters. */
  readonly eventSize: number
  /** Size of a body that is read whole: an error, a list of models. */
  readonly bodyBytes: number
}

/** Limits that fit every provider that there is. */
export const HTTP_LIMITS: HttpLimits = {
  connectMs: 15_000,
  headersMs: 600_000,
  tailMs: 2_000,
  eventSize: 64 * 1024 * 1024,
  bodyBytes: 1024 * 1024,
}
