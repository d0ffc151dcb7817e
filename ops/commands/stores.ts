import { isUuid, type Uuid } from '../../contracts/scalars.js';
import type { Database } from '../../runtime/database/database.js';
import { forgetStore, type ListedStore, listStores, trustStore } from '../../runtime/trust/stores.js';
import { cliEditor } from '../cli/access-editor.js';
import { withDatabaseOf } from '../cli/database.js';
import { type Config, readConfig } from '../config/config.js';
import { onOneLine } from '../audit/format-record.js';
import { printResult } from '../terminal/print.js';
import type { Verb } from '../cli/verb.js';
import { argumentsOf, reasonIn, usageOf } from './arguments.js';

export const stores: Verb = {
  help: `
svc stores list
svc stores trust ID --reason R [--key HEX]
svc stores forget ID --reason R

list shows every store that sent messages: its key, whether it is trusted, what was received and what is missing.
trust accepts messages of a store from now on, and reads again what was skipped and the broker still holds.
  --key HEX   the public key of the store, 64 hexadecimal digits, as svc stores list shows it elsewhere; without it,
              the first key with which the store signs is pinned
forget accepts nothing more from a store; what was received stays. trust admits it again.
The system stream records both, with SVC_ACTOR or the user of the operating system.
The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  --json  prints JSON

  svc stores trust 0190b5d4-0000-7000-8000-000000000001 --reason 'the new warehouse'`,
  run: async (args) => {
    const given = parse(args);
    await withDatabaseOf(readConfig(), async (database, config) => {
      const { data, text } = await run(database, config, given);
      printResult(data, text, given.json);
    });
  },
};

type Given = { readonly json: boolean } & (
  | { readonly action: 'list' }
  | {
      readonly action: 'trust' | 'forget';
      readonly id: Uuid;
      readonly reason: string;
      readonly publicKey: Buffer | undefined;
    }
);

interface Result {
  readonly data: unknown;
  readonly text: string;
}

async function run(database: Database, config: Config, given: Given): Promise<Result> {
  if (given.action === 'list') return listed(await listStores(database));
  const { action, id: storeId, reason, publicKey } = given;
  const editor = cliEditor(config);
  const changed =
    action === 'trust'
      ? await trustStore(database, editor, storeId, { reason, publicKey })
      : await forgetStore(database, editor, storeId, { reason });
  const done = action === 'trust' ? 'trusted' : 'forgotten';
  return {
    data: { storeId, state: done, changed },
    text: `${storeId} is ${done}${changed ? '' : ' already'}.`,
  };
}

const listed = (all: readonly ListedStore[]): Result => ({
  data: all,
  text: all.length === 0 ? 'No other store has sent anything.' : all.map(lineOf).join('\n'),
});

/** A key is compared by its beginning. */
const fingerprintLength = 16;

function lineOf(store: ListedStore): string {
  const { storeId, state, publicKey, trustedBy, signs, lastSeen, passedOver } = store;
  const { records, unconfirmed, dropped, missing, head } = store;
  const how = trustedBy === undefined ? 'pinned' : `by ${onOneLine(trustedBy)}`;
  const parts = [
    state === 'trusted' ? `trusted, ${how}` : state,
    state === 'waiting' ? `${passedOver} messages passed over` : keyText(publicKey, signs),
    ...(records === 0 ? [] : [`${records} records`]),
    ...(unconfirmed === 0 ? [] : [`${unconfirmed} unconfirmed`]),
    ...(dropped === 0 ? [] : [`${dropped} thrown away`]),
    ...(missing === 0 ? [] : [`${missing} missing`]),
    ...(head === undefined ? [] : [`head ${head}`]),
    ...(lastSeen === undefined ? [] : [`last seen ${lastSeen}`]),
  ];
  return `${storeId}  ${parts.join('; ')}`;
}

const keyText = (publicKey: string | undefined, signs: boolean): string =>
  publicKey === undefined
    ? 'no key'
    : `key ${publicKey.slice(0, fingerprintLength)}…${signs ? ', signs messages' : ''}`;

const options = {
  reason: { type: 'string' },
  key: { type: 'string' },
  json: { type: 'boolean' },
} as const;

function parse(args: readonly string[]): Given {
  const { values, positionals } = argumentsOf(args, options, usage);
  const [action, id, ...rest] = positionals;
  const json = values.json === true;
  if (action === 'list' && id === undefined) {
    const [foreign] = Object.keys(values).filter((name) => name !== 'json');
    if (foreign !== undefined) throw usage(`--${foreign} is not an option of list`);
    return { action, json };
  }
  if ((action !== 'trust' && action !== 'forget') || id === undefined || rest.length > 0)
    throw usage('Give one action: svc stores list, or trust or forget with one ID');
  if (!isUuid(id)) throw usage(`'${id}' is not the id of a store`);
  const reason = reasonIn(values.reason, usage);
  if (reason === undefined) throw usage(`Give a --reason to ${action} a store`);
  if (action === 'forget' && values.key !== undefined) throw usage('--key is not an option of forget');
  return { action, id: id.toLowerCase(), reason, publicKey: keyIn(values.key), json };
}

function keyIn(text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined;
  if (!/^[0-9a-f]{64}$/i.test(text)) throw usage(`--key must be 64 hexadecimal digits, not '${text}'`);
  return Buffer.from(text, 'hex');
}

const usage = usageOf('stores');
