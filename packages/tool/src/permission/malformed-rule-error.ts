/** A permission rule names a field or a word that does not exist: whoever wrote it corrects it. [PERM10] */
export class MalformedRuleError extends Error {
  override readonly name = 'MalformedRuleError'
  readonly code = 'malformed-rule'
  readonly ruleId: string

  constructor(ruleId: string, problems: string) {
    super(`Rule ${ruleId} ${problems}`)
    this.ruleId = ruleId
  }
}
