import type { Identity } from '../../contracts/identity.js';

/** A source such as `api-key:svc_1a2b3c4d` names one credential; `jwt` and `jwt:login.example` do not. */
export const namesCredential = (source: string): boolean =>
  source.includes(':') && !source.startsWith('jwt:');

/** Whether an identity is that of one caller: tokens without a user may be those of many. */
export const namesCaller = ({ source, scope }: Identity): boolean =>
  scope.userId !== undefined || namesCredential(source);
