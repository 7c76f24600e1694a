export { GREETING_SCRIPT } from './documents/greeting-script.ts'
export { PreviewError } from './preview-error.ts'
export {
  openPreviews,
  type PlaceWish,
  type Preview,
  type PreviewPlace,
  type Previews,
  type PreviewsDeps,
} from './previews.ts'
export { type Picture, PictureError, type Shot } from './screenshot/photographer.ts'
export { createStoredPreviews, type PreviewSource, type StoredPreview, type StoredPreviews } from './stored-previews.ts'
