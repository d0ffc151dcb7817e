import type { DescribedFile } from '../../runtime/schema/described-files.js';
import { code, page, plain, table } from './markdown.js';
import type { Relation } from './schema-catalog.js';

/** What readers may rely on; everything else is the runtime's own. */
export const stable: Readonly<Record<string, string>> = {
  svc_event_stream: 'Domain events, in the order of the log.',
  svc_system_stream: 'The stream `$svc-system`: audits and other system events.',
  svc_outbox_pending: 'What is marked for publishing and not yet acknowledged by the broker.',
  svc_dead_letters: 'Messages waiting for a decision.',
  svc_stuck:
    'What waits for an operator (`parked`) or is retried (`retrying`); `svc stuck` repairs it. `fingerprint` is null where no host has stored it.',
  svc_schema_migrations:
    'The ledger of migrations. `status`: 1 Applied, 2 Updated, 3 Skipped, 4 in the background, −1 Failed.',
  svc_events: 'The append-only table behind `svc_event_stream`.',
  svc_system_events:
    'The append-only table behind `svc_system_stream`, with `digest` and `hash`, which cover every other column.',
};

export function sqlPage(relations: readonly Relation[], files: readonly DescribedFile[]): string {
  const written = files.flatMap((file) => file.relations);
  const columns = (name: string): string => {
    const comments = written.find((one) => one.name === name)?.columns ?? {};
    return columnTable(relations.find((one) => one.name === name)?.columns ?? [], comments);
  };
  const known = Object.entries(stable).map(([name, does]) => {
    const kind = relations.find((one) => one.name === name)?.kind ?? '';
    return `## ${name}\n\n${does} (${kind})\n\n${columns(name)}`;
  });
  const unwritten = relations.filter(({ name }) => written.every((one) => one.name !== name));
  return page(
    'SQL',
    'The views and tables that you may query, with their columns; the tables and routines of the runtime.',
    `Objects live in the default schema of the connection. Names and columns in the sections before
[Tables](#tables) are stable. The read model of a perspective \`order-summary\` is the view \`svc_per_order_summary(id, model
jsonb, …your columns, tenant, position, applied, updated_at)\`.

${known.join('\n')}
## Tables

An arrow leads from a table to the one that its rows refer to. The key of a table is below its name; you may query the tables
in color.

![The tables, in a frame for each file that makes them, with arrows to the tables that they refer to](tables.svg)

## Files of the schema

Anything described only here belongs to the runtime and may change. The files are in \`runtime/schema\` of the repository,
and run in this order. A routine replaces the views ${unwritten.map(({ name }) => code(name)).join(' and ')} for each segment
of the log.

${files.map((file) => fileSection(file, columns)).join('\n')}`,
  );
}

const columnTable = (columns: Relation['columns'], comments: Readonly<Record<string, string>>): string => {
  const rows = columns.map(([name, type]) => [code(name), type, plain(comments[name] ?? '')]);
  const width = Object.keys(comments).length > 0 ? 3 : 2;
  return table(
    ['column', 'type', 'meaning'].slice(0, width),
    rows.map((row) => row.slice(0, width)),
  );
};

function fileSection(
  { name, opening, relations, routines }: DescribedFile,
  columns: (name: string) => string,
): string {
  const made = relations.map((one) =>
    one.name in stable
      ? `[${one.name}](#${one.name.replaceAll('_', '-')}) is described above.\n`
      : `#### ${one.name}\n\n${prose(one.comment)}${columns(one.name)}`,
  );
  const called = routines.map((one) => [
    code(one.name),
    one.promise.join() === opening.join() ? 'See above.' : plain(one.promise.join(' ')),
    plain(one.lock ?? ''),
  ]);
  return [
    `### ${name}.sql\n\n${prose(opening)}`.trimEnd() + '\n',
    ...made,
    ...(called.length > 0 ? [table(['routine', 'promises', 'lock'], called)] : []),
  ].join('\n');
}

/** Paragraphs; indented lines stay as they are. */
function prose(lines: readonly string[]): string {
  const isIndented = (line: string) => line.startsWith('  ');
  const parts: string[][] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (line === '') parts.push([]);
    else if (last?.[0] !== undefined && isIndented(last[0]) === isIndented(line)) last.push(line);
    else parts.push([line]);
  }
  return parts
    .filter((part) => part.length > 0)
    .map((part) =>
      isIndented(part[0] ?? '')
        ? `\`\`\`text\n${part.map((line) => line.trimStart()).join('\n')}\n\`\`\`\n\n`
        : `${part.map(plain).join('\n')}\n\n`,
    )
    .join('');
}
