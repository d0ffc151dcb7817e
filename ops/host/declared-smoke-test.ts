import { Problem } from '../../contracts/problems.js';
import type { EndpointRegistration } from '../../endpoints/registrations.js';
import type { SmokeTest } from '../../endpoints/service-definition.js';

/** A smoke test with the paths of the service's endpoints. */
export interface DeclaredSmokeTest {
  readonly create: { readonly path: string; readonly body: object };
  readonly read: { readonly path: string };
}

/** Finds the route of the command; a smoke test that could not run is an error of the service. */
export function declareSmokeTest(
  { create: { command, body }, read }: SmokeTest,
  endpoints: readonly EndpointRegistration[],
): DeclaredSmokeTest {
  const path = endpoints.find((endpoint) => endpoint.command === command)?.restRoute ?? undefined;
  if (path === undefined) throw cannotRun(`${command.name} has no REST route`);
  if (!/^\/[!-~]*$/.test(read)) throw cannotRun(`the path to read must start with '/', not '${read}'`);
  return { create: { path, body }, read: { path: read } };
}

/** The member of the OpenAPI document that holds the smoke test. */
export const smokeTestMember = 'x-smoke-test';

/** The OpenAPI document of a host with the smoke test of its service, so that a URL is enough to run it. */
export const withSmokeTest = (openApi: string, declared: DeclaredSmokeTest): string =>
  JSON.stringify({ ...(JSON.parse(openApi) as object), [smokeTestMember]: declared });

const cannotRun = (detail: string): Problem =>
  new Problem('invalid-setup', { detail: `The smokeTest of the service cannot run: ${detail}.` });
