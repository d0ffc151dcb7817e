import { problems } from '../../contracts/problems.js';
import { code, page, table } from './markdown.js';

/** The codes that callers see. */
export function problemsPage(): string {
  const rows = Object.entries(problems)
    .map(([name, { status, title }]) => [code(name), String(status), title] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return page(
    'Problems',
    'Every problem that the runtime raises by itself: code, HTTP status and title.',
    `A refused request is answered with \`application/problem+json\`. Its \`type\` is \`urn:svc:problem:<code>\`; GraphQL
has the code in \`extensions.code\`. Codes are stable. Raise your own with
[\`new Problem(code, { status, title })\`](../guides/commands.md#problems-of-your-own).

${table(['code', 'status', 'title'], rows)}`,
  );
}
