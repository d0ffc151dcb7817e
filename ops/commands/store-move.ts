import type { Config } from '../config/config.js';
import { readConfig } from '../config/config.js';
import { withStoreUrls } from '../config/store-urls.js';
import { serverUrls } from '../../runtime/database/server-list.js';
import { abortMove, type Aborted, resumeMove } from '../../runtime/move/end-move.js';
import { type Moved, type MovePorts, moveStore } from '../../runtime/move/move-store.js';
import { cliEditor } from '../cli/access-editor.js';
import { settingsIn } from '../cli/database.js';
import { printToStderr, printToStdout } from '../terminal/print.js';
import { progressBar } from '../terminal/progress-bar.js';
import { argumentsOf, reasonIn, usageOf } from './arguments.js';

/** `svc store move`, with the arguments after it. */
export async function move(args: readonly string[]): Promise<void> {
  const { action, to, reason, json } = parse(args);
  const target = to === '' ? '' : targetUrl(to);
  const config = readConfig();
  const print = <T>(result: T, textOf: (result: T) => string): void =>
    printToStdout(`${json ? JSON.stringify(result) : textOf(result)}\n`);
  await withStoreUrls(config, ({ owner }) =>
    withPorts(config, reason, async (ports) => {
      if (action === 'abort') print(await abortMove(owner, ports), abortedText);
      else
        print(await (target === '' ? resumeMove(owner, ports) : moveStore(owner, target, ports)), movedText);
    }),
  );
}

/** The URL of the target with its password, which the arguments of a process would show to everyone on the machine. */
export function targetUrl(
  to: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const url = new URL(to);
  if (url.password !== '') {
    printToStderr(
      'svc: other users of this machine can see the password in --to; leave it out, and set SVC_MOVE_PASSWORD.\n',
    );
    return to;
  }
  url.password = encodeURIComponent(env['SVC_MOVE_PASSWORD'] ?? '');
  return url.href;
}

async function withPorts(
  config: Config,
  reason: string | undefined,
  body: (ports: MovePorts) => Promise<void>,
): Promise<void> {
  const bar = progressBar(process.stderr, 'moving the store');
  try {
    await body({
      by: async (database) => ({ operator: cliEditor(await settingsIn(database, config)), reason }),
      progress: (what, done, total) => bar.show(done, total, `${what}: ${done} of ${total}`),
    });
  } finally {
    bar.clear();
  }
}

const movedText = ({ store, to }: Moved): string =>
  `The store ${store} is at ${to} from now on; hosts that list both servers are there already, set DATABASE_URL of the others.`;

function abortedText({ store, target, failure }: Aborted): string {
  if (failure !== undefined)
    printToStderr(
      `svc: ${target} could not be emptied (${failure}): drop its subscription svc_move, then the database.\n`,
    );
  return `The store ${store} stays where it is; the database at ${target} is of no use and can be dropped.`;
}

function parse(args: readonly string[]) {
  const options = { to: { type: 'string' }, reason: { type: 'string' }, json: { type: 'boolean' } } as const;
  const { values, positionals } = argumentsOf(args, options, usage);
  const { to = '' } = values;
  const [action = to === '' ? undefined : 'begin'] = positionals;
  const isKnown = action === 'begin' || action === 'resume' || action === 'abort';
  if (!isKnown || positionals.length > (to === '' ? 1 : 0) || (to !== '') !== (action === 'begin'))
    throw usage('Give svc store move --to URL, or resume, or abort');
  if (to !== '' && !isDatabaseUrl(to))
    throw usage('--to needs the URL of one database, such as postgres://owner@host:5432/name');
  return { action, to, reason: reasonIn(values.reason, usage), json: values.json === true };
}

const isDatabaseUrl = (text: string): boolean =>
  /^postgres(?:ql)?:\/\/[^/]+\/[^/?]+/.test(text) && serverUrls(text)?.length === 1;

const usage = usageOf('store');
