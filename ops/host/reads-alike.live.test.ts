import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { jsonOf, post, send } from '../../endpoints/testing/http-client.js';
import { sharedHosts, writeNote } from '../testing/live-hosts.js';
import { notesClient, withSchema } from '../testing/live-model.js';
import { guardedNotes } from '../testing/live-notes.js';
import { person } from '../testing/live-people.js';

const test = suite('reads by REST, GraphQL and the client');

const shared = sharedHosts({ definition: withSchema(guardedNotes) });
const hostUrl = () => shared.hosts[0]?.url ?? '';
test.before(() => shared.start());
test.after(() => shared.stop());

type Headers = Readonly<Record<string, string>>;
type Comparisons = Readonly<Record<string, string | number | readonly (string | number)[]>>;

interface Asked {
  readonly filter: Readonly<Record<string, Comparisons>>;
  readonly sort: readonly string[];
  readonly pageSize: number;
}

/** Page by page, until the last; what is refused is its code. */
type Read = (field: 'notes' | 'ownNotes' | 'addressedNotes', who: Headers, asked: Asked) => Promise<unknown>;

const routes = { notes: '/notes', ownNotes: '/own-notes', addressedNotes: '/addressed-notes' } as const;

const byRest: Read = async (field, headers, { filter, sort, pageSize }) => {
  const search = new URLSearchParams({ pageSize: String(pageSize) });
  if (sort.length > 0) search.set('sort', sort.join());
  for (const [column, comparisons] of Object.entries(filter))
    for (const [operator, value] of Object.entries(comparisons))
      for (const one of [value].flat())
        search.append(`filter[${column}]${operator === 'in' ? '' : `[${operator}]`}`, String(one));
  const ids: string[] = [];
  for (;;) {
    const path = `${routes[field]}?${search.toString()}`;
    const answer = await send(hostUrl(), { method: 'GET', path, headers });
    const page = jsonOf(answer) as { data: { noteId: string }[]; nextCursor?: string; type: string };
    if (answer.status !== 200) return codeOf(page.type);
    ids.push(...page.data.map(({ noteId }) => noteId));
    if (page.nextCursor === undefined) return ids;
    search.set('cursor', page.nextCursor);
  }
};

const codeOf = (type: string): string => type.slice(type.lastIndexOf(':') + 1);

interface Connection {
  readonly edges: readonly { readonly node: { readonly noteId: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

interface Answer {
  readonly data?: Readonly<Record<string, Connection>> | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

const byGraphQL: Read = async (field, headers, { filter, sort, pageSize: first }) => {
  const name = field.charAt(0).toUpperCase() + field.slice(1);
  const [types, given] =
    field === 'addressedNotes'
      ? ['', '']
      : [`$filter: ${name}Filter, $sort: [${name}Sort!], `, 'filter: $filter, sort: $sort, '];
  const query = `query (${types}$first: Int, $after: String) { ${field}(${given}first: $first, after: $after) {
    edges { node { noteId } } pageInfo { hasNextPage endCursor } } }`;
  const sorts = sort.map((column) => (column.startsWith('-') ? `${column.slice(1)}_desc` : `${column}_asc`));
  const ids: string[] = [];
  for (let after: string | undefined; ;) {
    const body = { query, variables: { filter, sort: sorts, first, after } };
    const { data, errors } = jsonOf(await post(hostUrl(), body, { path: '/graphql', headers })) as Answer;
    const page = data?.[field];
    if (page === undefined) return errors?.[0]?.extensions.code;
    ids.push(...page.edges.map(({ node }) => node.noteId));
    if (!page.pageInfo.hasNextPage) return ids;
    after = page.pageInfo.endCursor;
  }
};

const byClient = async (): Promise<Read> => {
  const Client = await notesClient();
  return async (field, headers, asked) => {
    const client = new Client({ baseUrl: hostUrl(), headers });
    const ids: string[] = [];
    try {
      for await (const { noteId } of client[field].all(asked)) ids.push(noteId);
      return ids;
    } catch (error) {
      return (error as { readonly code: string }).code;
    }
  };
};

const callers = {
  ann: person('ann'),
  bob: person('bob'),
  eve: person('eve', 'south'),
  'without permission': person('joe', 'north', []),
} as const;

const anyNote = fc.record({
  by: fc.constantFrom('ann', 'bob', 'eve'),
  userId: fc.constantFrom('ann', 'bob', 'eve', ''),
  shelf: fc.constantFrom('a', 'B', 'a,b', 'ä%_'),
  n: fc.integer({ min: 0, max: 4 }),
});

const anyNumber = fc.integer({ min: 0, max: 4 });
const optional = { requiredKeys: [] };

const anyAsked: fc.Arbitrary<Asked> = fc.record({
  filter: fc.record(
    {
      n: fc.record({ gte: anyNumber, lt: anyNumber }, optional),
      shelf: fc.oneof(
        fc.record({ in: fc.array(fc.constantFrom('a', 'a,b', 'z'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ contains: fc.constantFrom('A', '%', '_', '') }),
      ),
    },
    optional,
  ),
  sort: fc.uniqueArray(fc.constantFrom('n', '-shelf', 'userId'), { maxLength: 3 }),
  pageSize: fc.integer({ min: 2, max: 20 }),
});

test('every caller gets the same rows in the same order by each of them, and the same refusals', async () => {
  const reads = [byGraphQL, await byClient()];
  const [notes = []] = fc.sample(fc.array(anyNote, { minLength: 24, maxLength: 24 }), 1);
  for (const { by, ...note } of notes)
    await writeNote(
      hostUrl(),
      { ...note, noteId: newUuid(), text: `${note.userId}: hello` },
      callers[by as 'ann'],
    );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...(Object.keys(callers) as (keyof typeof callers)[])),
      fc.constantFrom('notes', 'ownNotes', 'addressedNotes'),
      anyAsked,
      async (caller, field, some) => {
        const asked = field === 'addressedNotes' ? { ...some, filter: {}, sort: [] } : some;
        const expected = await byRest(field, callers[caller], asked);
        for (const read of reads) assert.equal(await read(field, callers[caller], asked), expected);
      },
    ),
    { numRuns: 40 },
  );
  const all = { filter: {}, sort: [], pageSize: 100 };
  const seen = await Promise.all(
    (['ann', 'eve'] as const).map((caller) => byRest('notes', callers[caller], all)),
  );
  assert.is(seen.flatMap((ids) => ids as string[]).length, notes.length);
  assert.is(await byGraphQL('notes', callers['without permission'], all), 'access-denied');
});
