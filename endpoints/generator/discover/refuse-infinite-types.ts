import { propertiesOf } from '../model/properties.js';
import type { NamedType, NamedTypes } from '../model/service-model.js';
import type { FoundCommand } from './commands.js';
import type { Reading } from './reading.js';

/** A type that requires itself can never be sent: its shortest value is infinite. */
export function refuseInfiniteTypes(
  types: ReadonlyMap<string, NamedType>,
  commands: readonly FoundCommand[],
  reading: Reading,
): void {
  const [first] = commands;
  if (first === undefined) return;
  for (const name of types.keys()) {
    const cycle = cycleFrom(name, types);
    if (cycle !== undefined) {
      const at = commands.find(({ model }) => model.name === name) ?? first;
      const why = `the type ${name} requires itself (${cycle.join(' → ')}), so its values are infinite; make one of them optional, nullable or an array`;
      reading.error('SVC1022', at.declaration, why);
    }
  }
}

function cycleFrom(start: string, types: NamedTypes): readonly string[] | undefined {
  const visited = new Set<string>();
  const open: (readonly string[])[] = [[start]];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const next of requiredBy(path.at(-1) ?? '', types)) {
      if (next === start) return [...path, next];
      if (visited.has(next)) continue;
      visited.add(next);
      open.push([...path, next]);
    }
  }
  return undefined;
}

const requiredBy = (name: string, types: NamedTypes): readonly string[] =>
  propertiesOf(types, name).flatMap(({ required, type }) =>
    required && type.kind === 'ref' ? [type.name] : [],
  );
