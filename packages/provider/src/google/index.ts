export { createGoogleModel, type GoogleModelDependencies } from './google-model.ts'
export { type GoogleEndpoint, listGoogleModels } from './list-models.ts'
