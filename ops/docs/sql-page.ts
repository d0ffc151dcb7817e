import { openDatabase } from '../../runtime/database/database.js';
import { migrate } from '../../runtime/migrations/migrate.js';
import { withDatabase } from '../../runtime/testing/database.js';
import { code, page, table } from './markdown.js';

/** What readers may rely on; everything else is the runtime's own. */
export const stable: Readonly<Record<string, string>> = {
  svc_event_stream: 'Domain events, in the order of the log.',
  svc_system_stream: 'The stream `$svc-system`: audits and other system events.',
  svc_outbox_pending: 'What is marked to publish and not acknowledged by the broker yet.',
  svc_dead_letters: 'Messages that wait for a decision.',
  svc_schema_migrations:
    'The ledger of migrations. `status`: 1 Applied, 2 Updated, 3 Skipped, 4 in the background, −1 Failed.',
  svc_events: 'The append-only table under `svc_event_stream`.',
  svc_system_events:
    'The append-only table under `svc_system_stream`, with `digest` and `hash`, which cover every other column.',
};

interface Relation {
  readonly name: string;
  readonly kind: string;
  readonly columns: readonly (readonly [name: string, type: string])[];
}

/** Every table and view that the runtime creates in an empty database. */
export const allRelations = (): Promise<readonly Relation[]> =>
  withDatabase(async (url) => {
    await migrate({ ownerUrl: url });
    const database = openDatabase({ url });
    try {
      const rows = await database.rows({ text: catalog });
      return rows.map(([name = '', kind = '', columns = '']) => ({
        name: name ?? '',
        kind: kind ?? '',
        columns: JSON.parse(columns ?? '[]') as Relation['columns'],
      }));
    } finally {
      await database.close();
    }
  });

const catalog = `SELECT c.relname, CASE c.relkind WHEN 'v' THEN 'view' ELSE 'table' END,
  (SELECT json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
    FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)::text
  FROM pg_class c WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind IN ('r', 'v', 'p') AND NOT c.relispartition
  ORDER BY 1`;

export function sqlPage(relations: readonly Relation[]): string {
  const known = Object.entries(stable).map(([name, does]) => {
    const relation = relations.find((one) => one.name === name);
    const rows = (relation?.columns ?? []).map(([column, type]) => [code(column), type]);
    return `## ${name}\n\n${does} (${relation?.kind ?? ''})\n\n${table(['column', 'type'], rows)}`;
  });
  const others = relations.filter(({ name }) => !(name in stable)).map(({ name }) => code(name));
  return page(
    'SQL',
    'The views and tables that you may query, with their columns.',
    `Objects live in the default schema of the connection. Names and columns listed here are stable. The read model of a
perspective \`order-summary\` is the view \`svc_per_order_summary(id, model jsonb, …your columns, tenant, position, applied,
updated_at)\`.

${known.join('\n')}
## Others

These belong to the runtime and may change: ${others.join(', ')}.
`,
  );
}
