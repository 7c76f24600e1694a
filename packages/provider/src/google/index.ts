export { createGoogleModel, type GoogleModelDeps } from './google-model.ts'
export { type GoogleEndpoint, listGoogleModels } from './list-models.ts'
