import { parseArgs } from 'node:util';
import { Problem } from '../../contracts/problems.js';
import type { Verb } from '../verb.js';

export interface InspectLinks {
  /** What Stately's tools attach to. */
  readonly inspector: string;
  readonly machines: string;
  readonly console: string;
}

export const inspect: Verb = {
  name: 'inspect',
  usage: 'inspect [--url URL]',
  does: 'prints the links to the inspector, the machines and the console of a host',
  help: `
svc inspect [--url URL] [--json]

Prints where the requests of a running host can be watched. The host must run with SVC_INSPECT=1,
which it does in development. From another machine it asks for SVC_INSPECT_TOKEN; set here too,
it becomes part of the link.

  --url URL    the host (default: http://127.0.0.1 with SVC_PORT or 3000)
  --json       the same for machines

  svc inspect --url http://127.0.0.1:8080`,
  run: (args) => {
    const { url, json } = parse(args);
    const links = linksOf(url, process.env['SVC_INSPECT_TOKEN']);
    process.stdout.write(`${json ? JSON.stringify(links) : linksText(links)}\n`);
    return Promise.resolve();
  },
};

export function linksOf(url: string, token?: string): InspectLinks {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw usage(`'${url}' is no URL such as http://127.0.0.1:3000`);
  }
  const inspector = new URL('/inspect', url.replace(/^http/, 'ws'));
  if (token !== undefined && token !== '') inspector.searchParams.set('t', token);
  return {
    inspector: inspector.href,
    machines: new URL('/machines', url).href,
    console: new URL('/console', url).href,
  };
}

function parse(args: readonly string[]): { readonly url: string; readonly json: boolean } {
  const own = `http://127.0.0.1:${process.env['SVC_PORT'] || '3000'}`;
  const options = {
    url: { type: 'string', default: own },
    json: { type: 'boolean', default: false },
  } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw usage((error as Error).message.split('.')[0] ?? '');
  }
}

const usage = (detail: string): Problem =>
  new Problem('usage', { detail: `${detail}; svc inspect --help tells more.` });

const linksText = (links: InspectLinks): string =>
  [
    `console    ${links.console}`,
    `inspector  ${links.inspector}    for Stately's tools: createWebSocketReceiver({ server })`,
    `machines   ${links.machines}    add /<id> for one to paste into Stately Studio`,
  ].join('\n');
