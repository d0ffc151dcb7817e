import type { ProblemCode } from '../../../contracts/problems.js';
import type { ServiceModel } from '../model/service-model.js';
import type { Schema } from './json-schema.js';

/** Whether a caller of some operation may have to prove who they are. */
export const hasGuards = (model: ServiceModel): boolean =>
  [
    ...model.commands,
    ...model.routes,
    ...model.perspectives.map(({ query }) => query),
    ...model.processes.map(({ visible }) => visible),
  ].some((one) => isGuarded(one?.permission));

/** `components.securitySchemes`: either of them is enough. */
export const securitySchemes: Schema = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A JSON Web Token or an API key.' },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key.' },
};

/** What a caller of an operation needs. */
export const securityOf = (permission: string | undefined): Schema =>
  isGuarded(permission) ? { security: [{ bearer: [] }, { apiKey: [] }], 'x-permission': permission } : {};

/** The refusals that an operation with this permission does not have; wrong credentials are refused everywhere. */
export function impossibleRefusals(permission: string | undefined): readonly ProblemCode[] {
  return permission === 'public' || permission === 'authenticated' ? ['access-denied'] : [];
}

/** The refusals of a guarded read; what a service without permissions reads is open. */
export function readRefusals(permission: string | undefined): readonly ProblemCode[] {
  if (permission === undefined) return [];
  const impossible = impossibleRefusals(permission);
  return guardRefusals.filter((code) => !impossible.includes(code));
}

const guardRefusals: readonly ProblemCode[] = ['unauthenticated', 'access-denied', 'rate-limited'];

const isGuarded = (permission: string | undefined): boolean =>
  permission !== undefined && permission !== 'public';
