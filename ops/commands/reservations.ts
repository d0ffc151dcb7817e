import { Problem } from '../../contracts/problems.js';
import { printableLine } from '../../runtime/lang/printable.js';
import { releaseReservation } from '../../runtime/reactions/operate.js';
import {
  countReservations,
  type ListedReservation,
  listReservations,
} from '../../runtime/reservations/list-reservations.js';
import { moreThan, type OperatorInput, type OperatorResult, operatorVerb } from './operator-verb.js';

const help = `
svc reservations list [--name N]
svc reservations release NAME VALUE [--reason R] [--tenant T]

list shows who holds a name, newest first. The store has a keyed digest of each value, but not the value.
release frees a value, no matter who holds it. It is compared exactly with what the receptor has reserved.
The system stream records it as OperatorActed with the digest, and SVC_ACTOR or the user of the operating system.
The store is the one at DATABASE_URL, or the embedded one in SVC_DATA_DIR (.svc).

  --name N    lists the reservations of one name
  --limit N   lists up to N reservations (200)
  --tenant T  the tenant for which it was reserved
  --reason R  why; recorded with the action
  --json      prints JSON

  svc reservations release email ada@example.org --reason 'the account was a test'`;

export const reservations = operatorVerb('reservations', help, {
  list: { takes: [], does: 'list', options: ['name'], run: list },
  release: { takes: ['NAME', 'VALUE'], does: 'act', options: ['tenant'], run: release },
});

async function list({ database, options: { name }, limit }: OperatorInput): Promise<OperatorResult> {
  const all = await listReservations(database, { name, limit });
  return {
    data: all,
    text: all.length === 0 ? 'Nothing is reserved.' : all.map(lineOf).join('\n'),
    more: await moreThan(all, limit, () => countReservations(database, name ?? null)),
  };
}

const lineOf = ({ name, key, owner, reservedAt, until }: ListedReservation): string =>
  printableLine(
    `${name} ${key}  by ${owner} since ${reservedAt}${until === undefined ? '' : `, until ${until}`}`,
  );

async function release({ call, args, options: { tenant } }: OperatorInput): Promise<OperatorResult> {
  const [name = '', value = ''] = args;
  if (await releaseReservation(call, { name, value, tenant }))
    return { data: { released: name }, text: `The value of ${name} is free.` };
  const whose = tenant === undefined ? 'without a tenant' : 'for this tenant';
  // The message does not repeat the value: it may be personal.
  throw new Problem('not-found', {
    detail: `Nobody has this value of ${name} ${whose}; it is compared exactly.`,
  });
}
