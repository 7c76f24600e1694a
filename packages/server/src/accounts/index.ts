export { openAccounts } from './open-accounts.ts'
