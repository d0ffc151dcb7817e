import { Problem } from '../../contracts/problems.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Database, Row } from '../database/database.js';
import type { ChainStart } from './segment-digest.js';

/** A segment as the store knows it. */
export interface ArchivedSegment extends ChainStart {
  /** The id of the store, as it was when the segment left. */
  readonly store: Uuid;
  readonly low: Long;
  readonly high: Long;
  readonly state: 'open' | 'sealed' | 'archived';
  /** Where its files are, if it has left before. */
  readonly location: string | undefined;
  readonly manifestSha256: string | undefined;
  /** The key that signed them. */
  readonly publicKey: string | undefined;
}

const columns = `s.low, s.high, s.state, s.first_system, encode(s.prev_hash, 'hex'),
  a.location, encode(a.manifest_sha256, 'hex'), encode(a.public_key, 'hex'), coalesce(CASE s.state WHEN 'archived' THEN a.store END, (SELECT id FROM svc_store))`;

/** The segments that are not open, the oldest first. */
export async function closedSegments(database: Pick<Database, 'rows'>): Promise<readonly ArchivedSegment[]> {
  const text = `SELECT ${columns} FROM svc_segments s LEFT JOIN svc_archives a USING (low) WHERE s.state <> 'open' ORDER BY s.low`;
  return (await database.rows({ text })).map(segmentOf);
}

const segmentOf = ([
  low,
  high,
  state,
  first,
  hash,
  location,
  manifest,
  key,
  store,
]: Row): ArchivedSegment => ({
  store: store ?? '',
  low: Number(low),
  high: Number(high),
  state: state as ArchivedSegment['state'],
  firstSystem: Number(first),
  prevHash: Buffer.from(hash ?? '', 'hex'),
  location: location ?? undefined,
  manifestSha256: manifest ?? undefined,
  publicKey: key ?? undefined,
});

/** The names of its files. */
export const manifestName = ({ store, low, high }: ArchivedSegment): string =>
  `${store}/${low}-${high}/manifest.json`;
export const partName = ({ store, low, high }: ArchivedSegment, number: number): string =>
  `${store}/${low}-${high}/${String(number).padStart(7, '0')}.part`;

/** The subject whose key encrypts a segment: it is wrapped, and wrapped again, as those of all subjects. */
export const subjectOfArchive = (low: Long): string => `archive:${low}`;

export const archiveAltered = ({ low, high }: ArchivedSegment, what: string): Problem =>
  new Problem('archive-altered', { detail: `The archive of the segment ${low} to ${high - 1} ${what}.` });
