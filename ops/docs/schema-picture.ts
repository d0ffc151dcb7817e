import type { DescribedFile } from '../../runtime/schema/described-files.js';
import type { Relation } from './schema-catalog.js';
import { stable } from './sql-page.js';
import { tablesPicture } from './tables-picture.js';

/** Which column of a table refers to which other table. A list has the type of what its entries refer to. */
export const references: readonly (readonly [table: string, column: string, to: string, key: string])[] = [
  ['svc_migration_batches', 'keys', 'svc_schema_migrations', 'migration_key'],
  ['svc_origins', 'store', 'svc_store', 'id'],
  ['svc_events', 'origin', 'svc_origins', 'origin'],
  ['svc_segments', 'low', 'svc_events', 'global_position'],
  ['svc_segments', 'low', 'svc_system_events', 'global_position'],
  ['svc_imports', 'low', 'svc_events', 'global_position'],
  ['svc_archives', 'low', 'svc_segments', 'low'],
  ['svc_stream_heads', 'first_global', 'svc_events', 'global_position'],
  ['svc_search_blocks', 'term', 'svc_search_values', 'term'],
  ['svc_progress', 'name', 'svc_leases', 'name'],
  ['svc_stuck_work', 'follower', 'svc_progress', 'name'],
  ['svc_stuck_work', 'position', 'svc_events', 'global_position'],
  ['svc_timers', 'key', 'svc_processes', 'key'],
  ['svc_rewinds', 'global_position', 'svc_events', 'global_position'],
  ['svc_rewind_replays', 'rewind', 'svc_rewinds', 'global_position'],
  ['svc_rebuilds', 'table_name', 'svc_perspectives', 'table_name'],
  ['svc_perspectives', 'table_name', 'svc_progress', 'name'],
  ['svc_received_system_events', 'origin', 'svc_origins', 'origin'],
  ['svc_unconfirmed_records', 'origin', 'svc_origins', 'origin'],
  ['svc_signed_heads', 'origin', 'svc_origins', 'origin'],
  ['svc_key_rotations', 'origin', 'svc_origins', 'origin'],
  ['svc_role_assignments', 'roles', 'svc_roles', 'role'],
  ['svc_flags', 'name', 'svc_flag_names', 'name'],
  ['svc_store_private_key', 'single', 'svc_store', 'single'],
  ['svc_subject_streams', 'subject', 'svc_subject_keys', 'subject'],
  ['svc_subject_rewinds', 'table_name', 'svc_perspectives', 'table_name'],
  ['svc_subject_rewinds', 'rebuild', 'svc_rebuilds', 'id'],
  ['svc_states', 'event_id', 'svc_events', 'event_id'],
];

/** The tables of each file, with arrows to what their rows refer to. */
export function schemaPicture(relations: readonly Relation[], files: readonly DescribedFile[]): string {
  const groups = files.map(({ name, relations: made }) => ({
    title: `${name}.sql`,
    tables: made.flatMap((each) => relations.filter((one) => one.kind === 'table' && one.name === each.name)),
  }));
  return tablesPicture(
    groups.filter(({ tables }) => tables.length > 0),
    { arrows: arrowsOf(relations), isAccented: (table) => table in stable },
  );
}

/** One for each pair of tables; a foreign key need not be listed. */
export function arrowsOf(relations: readonly Relation[]): readonly (readonly [from: string, to: string])[] {
  const pairs = [
    ...references.map(([from, , to]) => [from, to] as const),
    ...relations.flatMap(({ name, foreign }) => foreign.map((to) => [name, to] as const)),
  ];
  return [...new Map(pairs.map((pair) => [pair.join(), pair])).values()];
}
