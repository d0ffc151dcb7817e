import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { untrustedParsers } from './parsers.js';
import { ts } from '../../endpoints/generator/compiler.js';

const test = suite('raw reads');

/** A location in a source that reads untrusted input directly. */
interface RawRead {
  readonly line: number;
  readonly text: string;
}

/** The names under which a request, a message or a URL passes on untrusted input. */
const untrustedNames = new Set(['headers', 'rawHeaders', 'query', 'params', 'searchParams']);

/** Most sources contain none of these names, and parsing takes longer than looking for them. */
const mayRead = /headers|query|params|url/i;

/** Every location in a source that reads untrusted input directly; passing it on whole does not count. */
function rawReadsIn(source: string): readonly RawRead[] {
  if (!mayRead.test(source)) return [];
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const found: RawRead[] = [];
  const visit = (node: ts.Node): void => {
    if (looksInto(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push({ line: line + 1, text: node.getText().replaceAll(/\s+/g, ' ').slice(0, 100) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function looksInto(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    return (isUntrusted(node.expression) || isAddress(node.expression)) && !isWritten(node);
  if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name))
    return node.initializer !== undefined && isUntrusted(node.initializer);
  if (ts.isParameter(node) && ts.isObjectBindingPattern(node.name))
    return node.type?.getText() === 'IncomingHttpHeaders' || takesApart(node.name);
  return ts.isNewExpression(node) && node.expression.getText() === 'URLSearchParams';
}

/** `{ headers: { host } }` */
const takesApart = ({ elements }: ts.ObjectBindingPattern): boolean =>
  elements.some(
    ({ name, propertyName }) =>
      ts.isObjectBindingPattern(name) && untrustedNames.has(propertyName?.getText() ?? ''),
  );

/** Every machine has its own `params`. */
const isUntrusted = (expression: ts.Expression): boolean =>
  untrustedNames.has(nameOf(expression)) && bare(expression).getText() !== 'params';

/** `request.url` */
const isAddress = (expression: ts.Expression): boolean =>
  /^(?:request|req)\??\.url$/.test(bare(expression).getText());

function nameOf(expression: ts.Expression): string {
  const inner = bare(expression);
  if (ts.isIdentifier(inner)) return inner.text;
  if (ts.isPropertyAccessExpression(inner)) return inner.name.text;
  return ts.isElementAccessExpression(inner) && ts.isStringLiteral(inner.argumentExpression)
    ? inner.argumentExpression.text
    : '';
}

/** Without parts that only types use. */
function bare(expression: ts.Expression): ts.Expression {
  return ts.isAsExpression(expression) ||
    ts.isParenthesizedExpression(expression) ||
    ts.isNonNullExpression(expression)
    ? bare(expression.expression)
    : expression;
}

/** An object that is filled is our own answer. */
const isWritten = ({ parent }: ts.Node): boolean =>
  ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;

for (const source of [
  "const wait = request.headers['prefer'];",
  'const wait = request.headers?.prefer;',
  "const wait = headers['prefer'];",
  'const { origin, host } = headers;',
  'const { host } = request.query as { host: string };',
  'const { id } = (request.params as Ids);',
  'const id = request.params.id;',
  "const page = (request.query as Query)['page'];",
  'for (let n = 0; n < request.rawHeaders.length; n++);',
  "const token = new URL(url, base).searchParams.get('t');",
  'const parameters = new URLSearchParams(search);',
  "const path = request.url.split('?')[0];",
  "const path = request.url?.split('?')[0];",
  'const typeOf = ({ accept }: IncomingHttpHeaders) => accept;',
  'const hostOf = ({ headers: { host } }: FastifyRequest) => host;',
  "if (request['headers'].upgrade) go();",
]) {
  test(`is found: ${source}`, () => {
    assert.is(rawReadsIn(source).length > 0, true);
  });
}

for (const source of [
  'const wait = waitOf(request.headers);',
  'const { headers, query } = request;',
  "const host = textIn(request.query as Query, 'host');",
  "reply.headers({ etag }).header('vary', 'accept');",
  "headers['retry-after'] = '1';",
  'const { query, operationName } = parameters;',
  'const failed = params.error;',
  'send(request.url);',
  'const rows = await client.query(statement);',
]) {
  test(`is not a raw read: ${source}`, () => {
    assert.equal(rawReadsIn(source), []);
  });
}

test('a raw read is reported with its line', () => {
  assert.equal(rawReadsIn("\n\nconst a =\n  headers['a'];"), [{ line: 4, text: "headers['a']" }]);
});

const root = new URL('../../../', import.meta.url).pathname;

/** Sources that run elsewhere, or only in tests and on a developer's machine. */
const elsewhere =
  /\.test\.ts$|\.d\.ts$|\/(?:testing|generated|parsing)\/|^endpoints\/generator\/|^ops\/(?:bench|chaos|test|console\/page)\/|^endpoints\/(?:graphql\/page|routes\/docs)\//;

/** Sources that pick a value by name without parsing it, or that read trusted values. */
const lookups: Readonly<Record<string, string>> = {
  'runtime/database/database.ts': 'the address of the database, which an operator sets',
  'runtime/database/server-list.ts': 'the addresses of the database, which an operator sets',
  'runtime/transport/in-process-transport.ts': 'headers that this process made',
  'runtime/transport/nats-batch-settler.ts': 'one header by name; runtime/inbox compares it with the body',
  'runtime/transport/nats-pull.ts': 'the status of the broker itself',
  'runtime/inbox/received-dead-letter.ts': 'headers by name, kept unchanged',
  'actors/subscriber/subscriber-session.ts': 'one header of a stored message by name',
  'endpoints/access/header-refusal.ts': 'compares one header',
  'endpoints/security-headers.ts': 'a header that the host itself sends',
  'endpoints/agents/protected-resource.ts': 'one header, of at most 255 characters',
  'endpoints/agents/mcp-route.ts': 'headers by name, which rpc-message.ts reads',
  'endpoints/routes/accept-websockets.ts': 'compares a header and a path, and passes the rest on unchanged',
  'ops/console/server/routes.ts': 'passes on a position whose format is checked',
  'endpoints/routes/inspector.ts': 'looks for a media type in one header',
  'endpoints/routes/machines.ts': 'a path segment, which the router limits to 3,072 characters',
  'endpoints/queries/read-routes.ts': 'a path segment, which the router limits to 3,072 characters',
  'endpoints/processes/process-routes.ts': 'a path segment, which the router limits to 3,072 characters',
  'endpoints/live/live-routes.ts': 'a path segment, which the router limits to 3,072 characters',
  'ops/console/server/api-handlers.ts': 'a path segment, which the router limits to 3,072 characters',
  'ops/console/server/effect-reads.ts': 'a path segment, which the router limits to 3,072 characters',
  'ops/console/server/process-actions.ts': 'a path segment, which the router limits to 3,072 characters',
  'ops/console/server/process-reads.ts':
    'a path segment, and the rest of a path, which the length of a head limits',
  'ops/console/server/stream-reads.ts': 'path segments, which the router limits to 3,072 characters',
  'ops/commands/inspect.ts': 'a URL that it builds itself',
  'ops/deploy/kubernetes/api-request.ts': 'a number of the API server itself, limited to 5 seconds',
  'ops/deploy/kubernetes/prometheus.ts': 'a URL that it builds itself, from names whose format is checked',
  'ops/deploy/kubernetes/route.ts': 'compares names in a route of the API server',
};

const all = ['contracts', 'runtime', 'actors', 'endpoints', 'ops'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
);

const sources = all.filter((path) => path.endsWith('.ts') && !elsewhere.test(path));

const looking = new Map(
  sources
    .map((path) => [path, rawReadsIn(readFileSync(join(root, path), 'utf8'))] as const)
    .filter(([, reads]) => reads.length > 0),
);

test('untrusted input is read by registered parsers only', () => {
  const allowed = new Set([...untrustedParsers.map((parser) => parser.in), ...Object.keys(lookups)]);
  const others = [...looking].filter(([path]) => !allowed.has(path));
  const lines = others.flatMap(([path, reads]) => reads.map(({ line, text }) => `${path}:${line} ${text}`));
  assert.equal(lines, [], 'register a parser in ops/untrusted-input/parsers.ts, and pass the input to it');
});

test('every listed source exists', () => {
  assert.ok(sources.length > 300);
  for (const { name, in: path } of untrustedParsers) assert.ok(all.includes(path), `${name} is in ${path}`);
  for (const path of Object.keys(lookups)) assert.ok(looking.has(path), `${path} no longer has raw reads`);
});
