export { type AiSdkModelDeps, createAiSdkModel } from './ai-sdk-model.ts'
export type { PackageMetadata } from './package-state.ts'
export { createStreamFetch } from './stream-fetch.ts'
