export { readStack, type StackFrame } from './read-stack.ts'
export { type ErrorIdentity, signatureOf } from './signature.ts'
export { createSourceFinder, type SourceFinder, type SourceFinderDeps, type SourcePlace } from './source-finder.ts'
