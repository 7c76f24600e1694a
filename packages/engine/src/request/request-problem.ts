import { validateRequest } from '@holdfast/context'
import type { ModelRequest } from '@holdfast/provider'

/** Why a request must not be sent, or null. [REQ1] */
export function requestProblem(request: ModelRequest): string | null {
  const violations = validateRequest(request)
  return violations.length === 0 ? null : violations.map(({ text }) => text).join('; ')
}
