import { formats, isFormatName } from '../../../contracts/formats.js';
import type { ts } from '../compiler.js';
import type {
  ArrayLimits,
  DecimalLimits,
  NumberLimits,
  TextLimits,
  TypeModel,
} from '../model/service-model.js';
import { type DocTag, docTagsOf } from './doc-tags.js';
import type { Reading } from './reading.js';
import { slownessOf } from './slow-patterns.js';

/** The limits from a property's JSDoc tags, by the type they apply to. */
export interface Limits {
  readonly text: TextLimits;
  readonly number: NumberLimits;
  readonly decimal: Pick<DecimalLimits, 'maxDigits'>;
  readonly array: ArrayLimits;
}

export const noLimits: Limits = { text: {}, number: {}, decimal: {}, array: {} };

const numeric = [
  'minimum',
  'maximum',
  'maxDigits',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
] as const;

/** The maximum precision of a PostgreSQL `numeric`. */
const maxDigitsLimit = 1_000;

const limitTags = [...numeric, 'pattern', 'format', 'sensitive'];

export function limitsOf(symbol: ts.Symbol, node: ts.Node, reading: Reading): Limits {
  const tags = docTagsOf(symbol, reading.checker);
  if (tags.length === 0) return noLimits;
  refuseUnknownTags(tags, node, reading);
  const texts = new Map(tags.map(({ name, text }) => [name, text]));
  const number = (name: (typeof numeric)[number]) => {
    const text = texts.get(name);
    if (text === undefined) return {};
    const value = Number(text);
    if (text !== '' && !Number.isNaN(value)) return { [name]: value };
    reading.error('SVC1020', node, `@${name} must be followed by a number, not '${text}'`);
    return {};
  };
  const length: TextLimits = { ...number('minLength'), ...number('maxLength') };
  return {
    text: {
      ...length,
      ...pattern(texts.get('pattern'), length, node, reading),
      ...format(texts.get('format'), node, reading),
    },
    number: { ...number('minimum'), ...number('maximum') },
    decimal: digits(number('maxDigits'), node, reading),
    array: { ...number('minItems'), ...number('maxItems') },
  };
}

function digits(limits: DecimalLimits, node: ts.Node, reading: Reading): DecimalLimits {
  const { maxDigits = 1 } = limits;
  if (Number.isInteger(maxDigits) && maxDigits >= 1 && maxDigits <= maxDigitsLimit) return limits;
  reading.error('SVC1020', node, `@maxDigits must be from 1 to ${maxDigitsLimit}, not ${maxDigits}`);
  return {};
}

/** Readers of the schema would rely on a format that nothing checks. */
function format(name: string | undefined, node: ts.Node, reading: Reading): TextLimits {
  if (name === undefined) return {};
  if (isFormatName(name)) return { format: name };
  const known = Object.keys(formats).join(', ');
  reading.error('SVC1020', node, `@format '${name}' is unknown; use one of ${known}, or @pattern`);
  return {};
}

function pattern(
  source: string | undefined,
  { maxLength }: TextLimits,
  node: ts.Node,
  reading: Reading,
): TextLimits {
  if (source === undefined) return {};
  const fault = patternFault(source, maxLength);
  if (fault === undefined) return { pattern: source };
  reading.error('SVC1020', node, `@pattern '${source}' ${fault}`);
  return {};
}

/** A body must not be able to keep a host busy. */
function patternFault(source: string, maxLength: number | undefined): string | undefined {
  try {
    RegExp(source, 'u');
  } catch {
    return 'is not a regular expression';
  }
  return slownessOf(source, maxLength);
}

export function limited(type: TypeModel, limits: Limits): TypeModel {
  switch (type.kind) {
    case 'text':
      return { ...type, limits: limits.text };
    case 'int':
    case 'long':
    case 'number':
      return { ...type, limits: limits.number };
    case 'decimal':
      return { ...type, limits: { ...limits.number, ...limits.decimal } };
    default:
      return type;
  }
}

/** Authors would rely on a limit that nothing checks. */
export function mustFit(
  limits: Limits,
  type: TypeModel,
  { node, path }: { readonly node: ts.Node; readonly path: string },
  reading: Reading,
): void {
  const heeded = heededBy(type);
  for (const [what, tags] of Object.entries(limits)) {
    if (heeded.has(what)) continue;
    for (const tag of Object.keys(tags))
      reading.error('SVC1020', node, `@${tag} does not apply to '${path}'; it is for ${fitting.get(what)}`);
  }
}

const fitting = new Map([
  ['text', 'strings'],
  ['number', 'numbers'],
  ['decimal', 'Decimals'],
  ['array', 'arrays'],
]);

/** Limits apply to the one inner type that they fit. */
function heededBy(type: TypeModel): ReadonlySet<string> {
  switch (type.kind) {
    case 'array':
      return new Set(['array', ...heededBy(type.item)]);
    case 'map':
      return heededBy(type.value);
    case 'nullable':
      return heededBy(type.inner);
    case 'text':
      return new Set(['text']);
    case 'decimal':
      return new Set(['number', 'decimal']);
    default:
      return new Set('limits' in type ? ['number'] : []);
  }
}

/** The tags of JSDoc and TSDoc. */
const documentation = new Set(
  `alpha author beta default defaultValue deprecated description example experimental inheritDoc internal link
  override privateRemarks private protected public readonly remarks see since summary throws todo type version virtual`
    .trim()
    .split(/\s+/),
);

/** Authors would rely on a misspelled limit that nothing checks. */
function refuseUnknownTags(tags: readonly DocTag[], node: ts.Node, reading: Reading): void {
  for (const { name } of tags) {
    if (documentation.has(name) || limitTags.includes(name)) continue;
    const meant = limitTags.find((tag) => tag.toLowerCase().startsWith(name.toLowerCase()));
    const known = limitTags.map((tag) => `@${tag}`).join(', ');
    const hint = meant === undefined ? `use ${known}` : `did you mean @${meant}?`;
    reading.error('SVC1020', node, `@${name} is not a known tag; ${hint}`);
  }
}
