/** What became of a person's answer to a request for permission or to a question. */
export interface Answered {
  /** False when it was settled before: then nothing has changed. */
  readonly accepted: boolean
}
