export type { MapOrder, RepositoryMap, RepositoryMaps, RepositoryMapsOptions } from './repository-maps.ts'
export { createRepositoryMaps, MAP_LIMITS } from './repository-maps.ts'
