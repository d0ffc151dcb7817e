import { createHash } from 'node:crypto';
import type { Long } from '../../contracts/scalars.js';

/** How far a watcher has come, in which version of a model. */
export interface LivePosition {
  readonly position: Long;
  /** Of a model that was rebuilt or refolded, an earlier position says nothing: its rows changed without an event. */
  readonly model: number;
}

/** Where a watcher left off; without a number, in whatever version the model is now. */
export type LiveResume = Pick<LivePosition, 'position'> & Partial<LivePosition>;

const form = /^(\d{1,15})(?:\.(\d{1,10}))?$/;

/** The id of a live event: the global position, a dot, and a number that changes with every rebuild. */
export const livePositionText = ({ position, model }: LivePosition): string => `${position}.${model}`;

/** Undefined: it is neither an id nor a position. */
export function parseLivePosition(text: string): LiveResume | undefined {
  const found = text.length > 32 ? null : form.exec(text);
  if (found === null) return undefined;
  const [, position, model] = found;
  return { position: Number(position), ...(model === undefined ? {} : { model: Number(model) }) };
}

/** A number for one version of a model: its table, its rebuilds and its refolded rows. */
export const modelNumberOf = (table: string, changes: string): number =>
  createHash('sha256').update(`${table} ${changes}`).digest().readUInt32BE(0);
