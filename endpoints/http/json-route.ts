import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { jsonBodyHook, type BodyHandler } from './json-body-hook.js';
import { mustBeJson } from './read-json-body.js';

interface JsonRoute {
  readonly onRequest: readonly onRequestHookHandler[];
  readonly config?: object;
  readonly bodyLimit: number;
  readonly take: BodyHandler;
  /** Notes that a body was refused. */
  readonly refused?: (status: number) => void;
  /** The application has plugins: their hooks run before and after the handler, which costs time. */
  readonly runsEveryHook: boolean;
}

/** Adds a POST route that takes JSON. */
export function jsonRoute(
  app: FastifyInstance,
  url: string,
  { onRequest, config = {}, bodyLimit, take, refused, runsEveryHook }: JsonRoute,
): void {
  if (runsEveryHook) {
    app.post(url, { onRequest: [...onRequest, refuseOtherTypes], config }, (request, reply) => {
      void take(request, reply, request.body, textOf(request));
    });
  } else {
    const hook = jsonBodyHook(bodyLimit, take, refused);
    app.post(url, { onRequest: [...onRequest, hook], config }, () => undefined);
  }
}

/** Whatever parsers the application adds: a form of another site must never become a command. */
const refuseOtherTypes: onRequestHookHandler = ({ headers }, _, done) => {
  mustBeJson(headers);
  done();
};

function textOf({ rawBody }: FastifyRequest): string {
  if (rawBody !== undefined) return rawBody.toString('utf8');
  throw new Problem('invalid-setup', {
    detail: 'The application replaced the parser of application/json; replace it in a plugin of its own.',
  });
}
