import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnyStateMachine } from 'xstate';
import { Problem } from '../../contracts/problems.js';
import { type Access, closedAccess } from '../access/access.js';
import { pageHook } from '../access/page-hook.js';
import type { RouteAccess } from '../route-access.js';
import { machineJson } from '../lifecycle/machine-json.js';

/** `GET /machines`: every machine by its id; `GET /machines/<id>`: one, in a form to paste into Stately Studio. */
export function machineRoutes(
  machines: readonly AnyStateMachine[],
  access: Access = closedAccess,
): (app: FastifyInstance) => void {
  const byId = new Map(machines.map((machine) => [machine.id, machineJson(machine)]));
  const all = `{${[...byId].map(([id, json]) => `${JSON.stringify(id)}:${json}`).join(',')}}`;
  return (app) => {
    const options = { ...head, onRequest: pageHook(access, { type: 'machines' }) };
    app.get('/machines', options, (_, reply) => send(reply, all));
    app.get('/machines/:id', options, (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
      const found = byId.get(request.params.id);
      if (found !== undefined) return send(reply, found);
      throw new Problem('not-found', {
        detail: `There is no such machine; there are ${[...byId.keys()].join(', ')}.`,
      });
    });
  };
}

const head = { exposeHeadRoute: true, config: { checksAccess: true } satisfies RouteAccess };

const send = (reply: FastifyReply, json: string): FastifyReply =>
  reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(json);
