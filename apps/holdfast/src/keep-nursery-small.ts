import { setFlagsFromString } from 'node:v8'

/**
 * Keeps the part of the heap for new objects as small as it is by now, a few MiB. While modules load nearly everything
 * in it survives, and V8 lets it grow to 64 MiB that an idle server would hold for ever. The size can be limited
 * only by an argument of `node` itself; the factor of its growth can be set later.
 */
export function keepNurserySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** Lets it grow again, for a server that has started: at work most objects die young, and an idle one gives it back. */
export function letNurseryGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
}
