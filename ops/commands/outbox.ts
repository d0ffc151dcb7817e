import { republish, type Republished } from '../../runtime/outbox/republish.js';
import { cliEditor } from '../cli/access-editor.js';
import { withDatabaseOf } from '../cli/database.js';
import { readConfig } from '../config/config.js';
import type { Verb } from '../cli/verb.js';
import { printToStdout } from '../terminal/print.js';
import { argumentsOf, reasonIn, usageOf } from './arguments.js';

export const outbox: Verb = {
  help: `
svc outbox republish --from POSITION [--reason TEXT]

The relay of a running host publishes again, in order, everything in the log from POSITION on that is meant to be
published. If the store broadcasts (svc store broadcast), it also sends unpublished system events, which close the gaps
of a monitor. Subscribers drop duplicates. POSITION is a global_position, as in svc_event_stream or
svc_outbox_pending; 1 is the beginning of the log. A position that was never published is refused.
The system stream records it as OperatorActed, with SVC_ACTOR or the user of the operating system.
The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  --from POSITION  the first position to publish again
  --reason TEXT    why
  --json           prints { from, to, messages }

  svc outbox republish --from 4711 --reason "the broker was restored from an empty disk"`,
  run: async (args) => {
    const { from, reason, json } = parse(args);
    await withDatabaseOf(readConfig(), async (database, config) => {
      const sent = await republish({ database, operator: cliEditor(config), reason }, from);
      printToStdout(`${json ? JSON.stringify(sent) : textOf(sent)}\n`);
    });
  },
};

const textOf = ({ from, to, messages }: Republished): string =>
  `${messages} ${messages === 1 ? 'message' : 'messages'} from position ${from} to ${to} will be published again by the relay of a running host.`;

function parse(args: readonly string[]) {
  const { values, positionals } = parsed(args);
  if (positionals.join(' ') !== 'republish' || values.from === undefined)
    throw usage('Give one action: svc outbox republish --from POSITION');
  if (!/^[1-9]\d{0,14}$/.test(values.from)) throw usage('--from must be a position, a whole number from 1');
  return { from: Number(values.from), reason: reasonIn(values.reason, usage), json: values.json === true };
}

function parsed(args: readonly string[]) {
  const options = {
    from: { type: 'string' },
    reason: { type: 'string' },
    json: { type: 'boolean' },
  } as const;
  return argumentsOf(args, options, usage);
}

const usage = usageOf('outbox');
