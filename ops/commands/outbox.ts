import { Problem } from '../../contracts/problems.js';
import { republish, type Republished } from '../../runtime/outbox/republish.js';
import { withDatabaseOf } from '../cli-database.js';
import { readConfig } from '../config.js';
import { recordCliAction } from '../cli-operator.js';
import type { Verb } from '../verb.js';
import { printToStdout } from '../print.js';
import { argumentsOf } from './arguments.js';

export const outbox: Verb = {
  name: 'outbox',
  usage: 'outbox republish',
  summary: 'sends again what the broker has lost',
  help: `
svc outbox republish --from POSITION [--reason TEXT]

Everything that the log holds from POSITION on and that is marked to publish goes out once more, in order, with the
next turn of a running host's relay. Receivers drop what they have already. POSITION is a global_position, as in
svc_event_stream or svc_outbox_pending; 1 is the beginning of the log. One that was never published is refused.
It is recorded as OperatorActed, with SVC_ACTOR or the user of the operating system.
The store is the one of DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  --from POSITION  the first position to send again
  --reason TEXT    why
  --json           { from, to, messages }

  svc outbox republish --from 4711 --reason "the broker was restored from an empty disk"`,
  run: async (args) => {
    const { from, reason, json } = parse(args);
    const config = readConfig();
    await withDatabaseOf(config, async (database) => {
      const sent = await republish(database, from);
      await recordCliAction(database, config, {
        action: 'outbox republish',
        target: `${sent.from}-${sent.to}`,
        reason,
      });
      printToStdout(`${json ? JSON.stringify(sent) : textOf(sent)}\n`);
    });
  },
};

const textOf = ({ from, to, messages }: Republished): string =>
  `${messages} messages from position ${from} to ${to} go out again with the next turn of a running host's relay.`;

function parse(args: readonly string[]) {
  const { values, positionals } = parsed(args);
  if (positionals.join(' ') !== 'republish' || values.from === undefined)
    throw usage('Say what to send again: svc outbox republish --from POSITION');
  if (!/^[1-9]\d{0,14}$/.test(values.from)) throw usage('--from takes a position, a whole number from 1 on');
  return { from: Number(values.from), reason: values.reason, json: values.json === true };
}

function parsed(args: readonly string[]) {
  const options = {
    from: { type: 'string' },
    reason: { type: 'string' },
    json: { type: 'boolean' },
  } as const;
  return argumentsOf(args, options, usage);
}

const usage = (detail: string): Problem =>
  new Problem('usage', { detail: `${detail}; svc outbox --help says more.` });
