import type { EventModel, NamedType, NamedTypes, PropertyModel } from './service-model.js';
import { propertiesOf } from './properties.js';
import { partsOf } from './reachable-types.js';
import { propertyName, typeText } from './type-text.js';

/** The shape of an event type's stored events, recorded beside the sources to detect changes. */
interface EventShape {
  readonly version: number;
  /** Types by field name; the type of an optional field ends with `?`. */
  readonly fields: Readonly<Record<string, string>>;
}

export type EventShapes = Readonly<Record<string, EventShape>>;

export const shapeOf = ({ name, version }: EventModel, types: NamedTypes): EventShape => ({
  version,
  fields: Object.fromEntries(propertiesOf(types, name).map((property) => field(property, types))),
});

const field = (property: PropertyModel, types: NamedTypes): [string, string] => [
  propertyName(property.name) + (property.required ? '' : '?'),
  typeText(property.type, types, { scalars: 'flavored', nameOf: onlyRecursive(types) }),
];

/** Types are written out, so that a renamed type is the same shape. Only a recursive type is named. */
function onlyRecursive(types: NamedTypes): (type: NamedType) => string | undefined {
  const inside = (name: string, of: NamedType, seen: Set<string>): boolean =>
    partsOf(of).some((part) => {
      if (part === name) return true;
      if (seen.has(part)) return false;
      const type = types.get(part);
      return type !== undefined && inside(name, type, seen.add(part));
    });
  return (type) => (inside(type.name, type, new Set()) ? type.name : undefined);
}

/** Changes that events stored in the old shape do not have; an added optional field is not a change. */
export function changesOf(before: EventShape, now: EventShape): readonly string[] {
  if (now.version > before.version) return [];
  if (now.version < before.version) return [`its version was ${before.version}`];
  const [old, after] = [byName(before), byName(now)];
  return [
    ...[...old].flatMap(([name, was]) => {
      const is = after.get(name);
      if (is === undefined) return [`'${name}' was removed`];
      if (is.type !== was.type) return [`'${name}' was ${was.type} and is ${is.type}`];
      return was.optional && !is.optional ? [`'${name}' was optional`] : [];
    }),
    ...[...after].flatMap(([name, is]) =>
      old.has(name) || is.optional ? [] : [`'${name}' is new and not optional`],
    ),
  ];
}

const byName = ({ fields }: EventShape) =>
  new Map(
    Object.entries(fields).map(([name, type]) => [
      name.replace(/\?$/, ''),
      { type, optional: name.endsWith('?') },
    ]),
  );

/** The recorded shapes of a service; a file with other content counts as empty. */
export function shapesIn(text: string): EventShapes {
  try {
    const shapes = JSON.parse(text) as EventShapes | null;
    const isShape = (shape: unknown): boolean =>
      typeof (shape as EventShape | null)?.version === 'number' &&
      typeof (shape as EventShape).fields === 'object';
    return Object.values(shapes ?? {}).every(isShape) ? (shapes ?? {}) : {};
  } catch {
    return {};
  }
}
