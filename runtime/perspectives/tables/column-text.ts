import type { ColumnType } from '../../../contracts/perspective.js';
import { isUuid } from '../../../contracts/scalars.js';
import { isStorable } from '../../lang/storable-text.js';
import { isStorableTimestamp } from './column-value.js';

/** The texts that a column type takes. */
interface TextForm {
  readonly description: string;
  fits(text: string): boolean;
}

const wholeForm = (bits: number): TextForm => ({
  description: 'a whole number',
  fits: (text) => /^-?\d{1,19}$/.test(text) && BigInt.asIntN(bits, BigInt(text)) === BigInt(text),
});

/** Checked before a query, so that the database never gets a value that it would refuse. */
export const textForms: Readonly<Record<ColumnType, TextForm>> = {
  text: { description: 'text without U+0000', fits: (text) => isStorable(JSON.stringify(text)) },
  uuid: { description: 'a UUID', fits: (text) => text.length === 36 && isUuid(text.toLowerCase()) },
  integer: wholeForm(32),
  bigint: wholeForm(64),
  numeric: { description: 'a decimal number', fits: (text) => /^-?\d{1,1000}(?:\.\d{1,1000})?$/.test(text) },
  boolean: { description: 'true or false', fits: (text) => text === 'true' || text === 'false' },
  timestamptz: { description: 'a timestamp such as 2026-01-31T12:00:00Z', fits: isStorableTimestamp },
};
