import { withBakery } from '../../endpoints/testing/bakery.js';
import { type Asked, send } from '../../endpoints/testing/http-client.js';
import { type ScriptedHost, scriptedHost, consoleOf } from './scripted-host.js';
import { Tokens } from '../../endpoints/access/tokens.js';
import { consoleRoutes } from '../console/server/routes.js';

export const files = [
  { path: '/console', type: 'text/html; charset=utf-8', content: Buffer.from('<!doctype html>') },
];
export const json = { 'content-type': 'application/json' };
export const bearer = { authorization: 'Bearer open sesame' };

interface Shown {
  readonly url: string;
  readonly host: ScriptedHost;
  readonly other: ScriptedHost;
  readonly close: () => void;
  ask(path: string, asked?: Asked): ReturnType<typeof send>;
}

export async function withConsole(body: (shown: Shown) => Promise<void>): Promise<void> {
  const [host, other] = [scriptedHost(), scriptedHost('bakery-2')];
  const access = { tokens: new Tokens({ generated: 'open sesame' }), localOnly: true };
  const { add, close } = consoleRoutes(consoleOf(host, other), files, access);
  await withBakery({ http: { routes: [add] } }, async ({ url }) => {
    const ask = (path: string, asked: Asked = {}) => send(url, { method: 'GET', ...asked, path });
    await body({ url, host, other, close, ask }).finally(close);
  });
}
