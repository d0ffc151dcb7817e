import type { FormatName } from '../../../contracts/formats.js';
import type {
  DecimalLimits,
  NumberLimits,
  ObjectType,
  TextLimits,
  TypeModel,
  WithTypes,
} from '../model/service-model.js';
import { textMatching } from './pattern-example.js';
import { namedType } from '../model/reachable-types.js';

/** Means that no example exists. */
export const none = Symbol('none');

/** A value that is valid under the type's schema, always the same. */
export function exampleOf(
  model: WithTypes,
  type: TypeModel,
  name = '',
  within: readonly string[] = [],
): unknown {
  const of = (inner: TypeModel): unknown => exampleOf(model, inner, name, within);
  switch (type.kind) {
    case 'nullable': {
      const inner = of(type.inner);
      return inner === none ? null : inner;
    }
    case 'array':
      return arrayExample(of(type.item), type.limits);
    case 'map': {
      const value = of(type.value);
      return value === none ? {} : { key: value };
    }
    case 'ref':
      return namedExample(model, type.name, within);
    case 'json':
      return { any: 'JSON' };
    default:
      return scalarExample(type, name);
  }
}

/** A recursive type ends where it meets itself again. */
function namedExample(model: WithTypes, name: string, within: readonly string[]): unknown {
  if (within.includes(name)) return none;
  const { type } = namedType(model, name);
  const inside = [...within, name];
  if (type.kind === 'enum') return type.values[0];
  if (type.kind === 'object') return objectExample(model, type, inside);
  const examples = type.variants.map((variant) => namedExample(model, variant.name, inside));
  return examples.find((example) => example !== none) ?? none;
}

function objectExample(model: WithTypes, { properties }: ObjectType, within: readonly string[]): unknown {
  const entries: [string, unknown][] = [];
  for (const { name, type, required, default: initial } of properties) {
    const value = initial === undefined ? exampleOf(model, type, name, within) : initial.value;
    if (value !== none) entries.push([name, value]);
    else if (required) return none;
  }
  return Object.fromEntries(entries);
}

function arrayExample(
  item: unknown,
  { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: { minItems?: number; maxItems?: number },
): unknown {
  if (item === none) return minItems === 0 ? [] : none;
  return Array.from({ length: Math.min(maxItems, Math.max(1, minItems)) }, () => item);
}

type ScalarType = Exclude<TypeModel, { kind: 'ref' | 'array' | 'map' | 'nullable' | 'json' }>;

function scalarExample(type: ScalarType, name: string): unknown {
  switch (type.kind) {
    case 'text':
      return textExample(type.limits, name);
    case 'uuid':
      return '01980d2e-7c5f-7aaa-8c1d-2f6f0a1b9c3d';
    case 'int':
    case 'long':
      return numberExample(type.limits, Math.ceil, Math.floor);
    case 'number':
      return numberExample(type.limits);
    case 'decimal':
      return decimalExample(type.limits);
    case 'timestamp':
      return '2026-11-15T09:30:00Z';
    case 'duration':
      return 'PT1H30M';
    case 'boolean':
      return type.only ?? true;
  }
}

/** The property's own name is better than any invented text. */
function textExample(
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format }: TextLimits,
  name: string,
): unknown {
  if (pattern !== undefined) {
    const text = textMatching(pattern);
    return text !== undefined && text.length >= minLength && text.length <= maxLength ? text : none;
  }
  const text = format === undefined ? name || 'text' : formats[format];
  if (text.length >= minLength && text.length <= maxLength) return text;
  return format === undefined ? text.padEnd(minLength, '.').slice(0, maxLength) : none;
}

const formats: Readonly<Record<FormatName, string>> = {
  date: '2026-11-15',
  'date-time': '2026-11-15T09:30:00Z',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  'json-pointer': '/a/b',
  time: '09:30:00Z',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '01980d2e-7c5f-7aaa-8c1d-2f6f0a1b9c3d',
};

type Round = (value: number) => number;
const exactly: Round = (value) => value;

function numberExample(
  { minimum, maximum }: NumberLimits,
  up: Round = exactly,
  down: Round = exactly,
): unknown {
  const lowest = up(minimum ?? Number.NEGATIVE_INFINITY);
  const highest = down(maximum ?? Number.POSITIVE_INFINITY);
  return lowest > highest ? none : Math.min(Math.max(1, lowest), highest);
}

function decimalExample(limits: DecimalLimits): unknown {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, maxDigits = 60 } = limits;
  if (minimum <= 19.9 && maximum >= 19.9 && maxDigits >= 4) return '19.90';
  const number = numberExample(limits);
  const digits = String(number);
  return number === none || digits.includes('e') || digits.length > maxDigits ? none : digits;
}
