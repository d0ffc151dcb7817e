/**
 * Types that the members of other types have. Import them where you need their names.
 *
 * @module svc-runtime/contracts
 */
export type {
  AppendOptions,
  Authenticate,
  AuthenticationRequest,
  Flags,
  Identity,
  IdentityInit,
} from '../../dist/contracts/index.js';
