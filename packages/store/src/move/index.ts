export { type MovedRows, moveStore, type StoreMove, type StorePlace } from './move-store.ts'
