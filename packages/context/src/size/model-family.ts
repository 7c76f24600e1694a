/**
 * What a model is, whoever sells it, in which region, and of which day: its thinking is bound to that. The next
 * version is another family, since an older model cannot read the thinking of a newer one. [REQ4]
 */
export function modelFamily(modelId: string): string {
  return modelId
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/^(?:[a-z]{2}|apac|global|regional|us-gov)\.(?=[a-z]+\.)/, '')
    .replace(/^[a-z]+\.(?=[a-z])/, '')
    .replace(/-v\d+:\d+$/, '')
    .replace(/[-@](?:20\d{6}|20\d\d-\d\d-\d\d|latest)$/, '')
}
