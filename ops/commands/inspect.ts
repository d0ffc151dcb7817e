import { consoleLink } from '../config/generated-token.js';
import type { Verb } from '../cli/verb.js';
import { printToStderr, printToStdout } from '../terminal/print.js';
import { optionsOf, usageOf } from './arguments.js';

interface InspectLinks {
  /** The address that Stately's tools attach to. */
  readonly inspector: string;
  readonly machines: string;
  readonly console: string;
}

export const inspect: Verb = {
  help: `
svc inspect [--url URL] [--json]

Prints the addresses at which you can watch the requests of a running host. The host must run with SVC_INSPECT=1,
the default in development. If the host requires SVC_INSPECT_TOKEN or SVC_OPERATOR_TOKEN, set one here
too: it becomes part of the links.

  --url URL    the host (default: http://127.0.0.1 with SVC_PORT or 3000)
  --json       prints JSON

  svc inspect --url http://127.0.0.1:8080`,
  run: async (args) => {
    const { url, json } = parse(args);
    const { env } = process;
    const links = linksOf(url, env['SVC_INSPECT_TOKEN'] || undefined, env['SVC_OPERATOR_TOKEN'] || undefined);
    printToStdout(`${json ? JSON.stringify(links) : linksText(links)}\n`);
    if (!(await answers(url)))
      printToStderr(`No host answers at ${new URL(url).origin}; give its address: svc inspect --url URL\n`);
  },
};

/** Whether a host is there, and not whether it is well. */
async function answers(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(probeWithinMs);
  try {
    await (await fetch(new URL('/health/live', url), { signal, redirect: 'manual' })).body?.cancel();
    return true;
  } catch {
    return false;
  }
}

const probeWithinMs = 2_000;

/** Gives each link the token with the fewest rights that opens it. */
export function linksOf(url: string, inspectToken?: string, operatorToken?: string): InspectLinks {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw usage(`'${url}' is not a URL such as http://127.0.0.1:3000`);
  }
  const inspector = new URL('/inspect', url.replace(/^http/, 'ws'));
  const looking = inspectToken ?? operatorToken;
  if (looking !== undefined) inspector.searchParams.set('t', looking);
  return {
    inspector: inspector.href,
    machines: new URL('/machines', url).href,
    console: consoleLink(new URL(url).origin, operatorToken ?? inspectToken),
  };
}

function parse(args: readonly string[]): { readonly url: string; readonly json: boolean } {
  const own = `http://127.0.0.1:${process.env['SVC_PORT'] || '3000'}`;
  const options = {
    url: { type: 'string', default: own },
    json: { type: 'boolean', default: false },
  } as const;
  return optionsOf(args, options, usage);
}

const usage = usageOf('inspect');

const linksText = (links: InspectLinks): string =>
  [
    `console    ${links.console}`,
    `inspector  ${links.inspector}    for Stately's tools: createWebSocketReceiver({ server })`,
    `machines   ${links.machines}    add /<id> for one machine to paste into Stately Studio`,
  ].join('\n');
