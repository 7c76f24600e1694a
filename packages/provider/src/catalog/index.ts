export { type CatalogOverride, createCatalog, type ModelCatalog, type ModelName } from './create-catalog.ts'
export { plainModelName } from './model-names.ts'
