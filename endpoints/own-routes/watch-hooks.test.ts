import cookie from '@fastify/cookie';
import fastify, { type FastifyInstance } from 'fastify';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { watchHooks } from './watch-hooks.js';

const test = suite('hooks of an application');

const pass = async (): Promise<void> => undefined;

/** Whether an application that does this adds hooks that run after the body of a command is read. */
async function addsHooks(routes: (app: FastifyInstance) => unknown): Promise<boolean> {
  const app = fastify();
  const hooks = watchHooks(app);
  await routes(app);
  await app.after();
  hooks.end();
  app.addHook('onRequest', pass);
  await app.close();
  return hooks.found;
}

test('a hook of the application or of a plugin that is not encapsulated runs for commands, also behind their body', async () => {
  for (const name of ['preParsing', 'preHandler', 'onSend', 'onResponse', 'onRoute'] as const)
    assert.is(await addsHooks((app) => app.addHook(name as 'onSend', pass)), true, name);
  assert.is(await addsHooks((app) => app.register(cookie)), true);
  assert.is(
    await addsHooks((app) => void app.register(async () => void app.addHook('preHandler', pass))),
    true,
  );
});

test('routes, encapsulated plugins, hooks of the server and those before the body leave commands alone', async () => {
  const routes = (app: FastifyInstance): void => {
    app.decorate('shop', 'north').decorateReply('loaves', 1);
    app.addHook('onReady', pass).addHook('onClose', pass).addHook('onRequest', pass);
    app.get('/hello', { onRequest: pass, onSend: pass }, () => 'hello');
    void app.register(async (scope) => {
      await scope.register(cookie);
      scope.addHook('onRoute', () => undefined);
      scope.get('/scoped', () => 'scoped');
    });
  };
  assert.is(await addsHooks(routes), false);
});
