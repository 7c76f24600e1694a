export { createResponsesModel, type ResponsesModelDeps } from './responses-model.ts'
