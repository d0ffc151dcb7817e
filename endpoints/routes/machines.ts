import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnyStateMachine } from 'xstate';
import { Problem } from '../../contracts/problems.js';
import { type Access, closedAccess } from '../access/access.js';
import { pageHook } from '../access/page-hook.js';
import type { RouteAccess } from '../route-access.js';
import { machineJson } from '../inspection/frames.js';

/** `GET /machines`: every machine by its name; `GET /machines/<name>`: one, in a form to paste into Stately Studio. */
export function machineRoutes(
  machines: readonly { readonly name: string; readonly machine: AnyStateMachine }[],
  access: Access = closedAccess,
): (app: FastifyInstance) => void {
  const byName = new Map(machines.map(({ name, machine }) => [name, machineJson(machine)]));
  const all = `{${[...byName].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
  return (app) => {
    const options = { ...head, onRequest: pageHook(access, { type: 'machines' }) };
    app.get('/machines', options, (_, reply) => send(reply, all));
    app.get('/machines/:name', options, (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
      const found = byName.get(request.params.name);
      if (found !== undefined) return send(reply, found);
      throw new Problem('not-found', {
        detail: `There is no such machine; there are ${[...byName.keys()].join(', ')}.`,
      });
    });
  };
}

const head = { exposeHeadRoute: true, config: { checksAccess: true } satisfies RouteAccess };

const send = (reply: FastifyReply, json: string): FastifyReply =>
  reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(json);
