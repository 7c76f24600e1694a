import { type AccountApi, RequestFailedError, type SignInState } from '@holdfast/client'
import { useEffect, useState } from 'react'

/** What someone who is not signed in is asked for; null while nothing is, or where the terminal's link signs in. */
export function useEntrance(account: AccountApi, isSignedOut: boolean): SignInState | null {
  const [state, setState] = useState<SignInState | null>(null)
  useEffect(() => {
    if (!isSignedOut) return
    let isGone = false
    account
      .readState()
      .then((read) => {
        if (!isGone) setState(read)
      })
      .catch((error: unknown) => {
        // The page then says what it says without accounts.
        if (!(error instanceof RequestFailedError)) throw error
      })
    return () => {
      isGone = true
    }
  }, [account, isSignedOut])
  return isSignedOut && state?.mode === 'accounts' ? state : null
}
