import type { ts } from '../compiler.js';
import type { Diagnostics } from '../diagnostics.js';
import type { ArrayLimits, NumberLimits, TextLimits, TypeModel } from '../model.js';
import { type DocTag, docTagsOf } from './doc-tags.js';
import { slownessOf } from './linear-pattern.js';

/** What JSDoc tags say about a property; each part goes to the type it fits. */
export interface Limits {
  readonly text: TextLimits;
  readonly number: NumberLimits;
  readonly array: ArrayLimits;
}

export const noLimits: Limits = { text: {}, number: {}, array: {} };

const numeric = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const;

export function limitsOf(
  symbol: ts.Symbol,
  node: ts.Node,
  checker: ts.TypeChecker,
  diagnostics: Diagnostics,
): Limits {
  const tags = docTagsOf(symbol, checker);
  if (tags.length === 0) return noLimits;
  refuseUnknownTags(tags, node, diagnostics);
  const said = new Map(tags.map(({ name, text }) => [name, text]));
  const number = (name: (typeof numeric)[number]) => {
    const text = said.get(name);
    if (text === undefined) return {};
    const value = Number(text);
    if (text !== '' && !Number.isNaN(value)) return { [name]: value };
    diagnostics.error('SVC1020', node, `@${name} must be followed by a number, not '${text}'`);
    return {};
  };
  const length: TextLimits = { ...number('minLength'), ...number('maxLength') };
  return {
    text: {
      ...length,
      ...pattern(said.get('pattern'), length, node, diagnostics),
      ...format(said.get('format')),
    },
    number: { ...number('minimum'), ...number('maximum') },
    array: { ...number('minItems'), ...number('maxItems') },
  };
}

/** Of JSDoc and TSDoc; everything else would be taken for a limit by who wrote it. */
const documentation = new Set(
  `alpha author beta default defaultValue deprecated description example experimental inheritDoc internal link
  override privateRemarks private protected public readonly remarks see since summary throws todo type version virtual`
    .trim()
    .split(/\s+/),
);
const limitTags = [...numeric, 'pattern', 'format', 'sensitive'];

function refuseUnknownTags(tags: readonly DocTag[], node: ts.Node, diagnostics: Diagnostics): void {
  for (const { name } of tags) {
    if (documentation.has(name) || limitTags.includes(name)) continue;
    const meant = limitTags.find((tag) => tag.toLowerCase().startsWith(name.toLowerCase()));
    const hint =
      meant === undefined ? `use ${limitTags.map((tag) => `@${tag}`).join(', ')}` : `did you mean @${meant}?`;
    diagnostics.error('SVC1020', node, `@${name} is not a tag that the generator knows; ${hint}`);
  }
}

const format = (name: string | undefined): TextLimits => (name === undefined ? {} : { format: name });

function pattern(
  source: string | undefined,
  { maxLength }: TextLimits,
  node: ts.Node,
  diagnostics: Diagnostics,
): TextLimits {
  if (source === undefined) return {};
  const fault = patternFault(source, maxLength);
  if (fault === undefined) return { pattern: source };
  diagnostics.error('SVC1020', node, `@pattern '${source}' ${fault}`);
  return {};
}

/** A body must not be able to keep a host busy. */
function patternFault(source: string, maxLength: number | undefined): string | undefined {
  try {
    RegExp(source, 'u');
  } catch {
    return 'is no regular expression';
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
    case 'decimal':
      return { ...type, limits: limits.number };
    default:
      return type;
  }
}

/** A limit that nothing heeds would be believed by who wrote it; a format alone is told and checked by nobody. */
export function mustFit(
  limits: Limits,
  type: TypeModel,
  { node, path }: { readonly node: ts.Node; readonly path: string },
  diagnostics: Diagnostics,
): void {
  const heeded = heededBy(type);
  const { format: _, ...text } = limits.text;
  for (const [what, tags] of Object.entries({ ...limits, text })) {
    if (heeded.has(what)) continue;
    for (const tag of Object.keys(tags))
      diagnostics.error('SVC1020', node, `@${tag} does not fit '${path}'; it is for ${fitting.get(what)}`);
  }
}

const fitting = new Map([
  ['text', 'strings'],
  ['number', 'numbers'],
  ['array', 'arrays'],
]);

/** The limits go inwards to the one type that they fit. */
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
    default:
      return new Set('limits' in type ? ['number'] : []);
  }
}
