export { BUILDER_VERSION, buildRequest, canonicalText, type RequestSource } from './build-request.ts'
