import type { ts } from '../compiler.js';
import type { Diagnostics } from '../diagnostics.js';
import type { ArrayLimits, NumberLimits, TextLimits, TypeModel } from '../model.js';
import { docTagsOf } from './doc-tags.js';

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
  const said = new Map(tags.map(({ name, text }) => [name, text]));
  const number = (name: (typeof numeric)[number]) => {
    const text = said.get(name);
    if (text === undefined) return {};
    const value = Number(text);
    if (text !== '' && !Number.isNaN(value)) return { [name]: value };
    diagnostics.error('SVC1020', node, `@${name} must be followed by a number, not '${text}'`);
    return {};
  };
  return {
    text: {
      ...number('minLength'),
      ...number('maxLength'),
      ...pattern(said.get('pattern'), node, diagnostics),
      ...format(said.get('format')),
    },
    number: { ...number('minimum'), ...number('maximum') },
    array: { ...number('minItems'), ...number('maxItems') },
  };
}

const format = (name: string | undefined): TextLimits => (name === undefined ? {} : { format: name });

function pattern(source: string | undefined, node: ts.Node, diagnostics: Diagnostics): TextLimits {
  if (source === undefined) return {};
  try {
    RegExp(source, 'u');
    return { pattern: source };
  } catch {
    diagnostics.error('SVC1020', node, `@pattern '${source}' is no regular expression`);
    return {};
  }
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
