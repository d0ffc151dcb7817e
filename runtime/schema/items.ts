import { version } from '../lang/version.js';
import { files } from './generated/files.js';

/** A file of our own schema. */
export interface SchemaFile {
  readonly key: string;
  readonly sql: string;
  /** Runs again when it has changed, or when this has; undefined: it runs once, in a new store. */
  readonly again?: string;
}

const [ledger, ...others] = files;

/** The tables that the migration itself needs. */
export const ledgerSql = ledger?.sql ?? '';

export interface SchemaVersion {
  readonly version: string;
  /** In order. */
  readonly files: readonly SchemaFile[];
}

/** Our own schema. The role is created beside it: what it may do is granted again once it exists. */
export const schemaOf = (role: string | undefined): SchemaVersion => ({
  version,
  files: others.map(({ name, sql }) => ({
    key: `svc/${name.replace(/^\d+-/, '')}`,
    sql,
    ...(name.endsWith('-privileges') ? { again: role ?? 'no role' } : {}),
  })),
});
