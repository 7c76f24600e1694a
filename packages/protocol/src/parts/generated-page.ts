/** Where the empty document is that becomes a generated page, once: the source comes by one message of the page around it. [PREV11] */
export const GENERATED_PAGE_PATH = '/generated-page'
