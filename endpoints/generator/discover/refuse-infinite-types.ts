import type { Diagnostics } from '../diagnostics.js';
import type { NamedType } from '../model/service-model.js';
import type { FoundCommand } from './commands.js';

/** A type that requires itself can never be sent: its shortest value is infinite. */
export function refuseInfiniteTypes(
  types: ReadonlyMap<string, NamedType>,
  commands: readonly FoundCommand[],
  diagnostics: Diagnostics,
): void {
  const [first] = commands;
  if (first === undefined) return;
  for (const [name, type] of types) {
    if (requiredBy(type).length === 0) continue;
    const cycle = cycleFrom(name, types);
    if (cycle !== undefined) {
      const at = commands.find(({ model }) => model.name === name) ?? first;
      diagnostics.error(
        'SVC1022',
        at.declaration,
        `the type ${name} requires itself (${cycle.join(' → ')}), so its values are infinite; make one of them optional, nullable or an array`,
      );
    }
  }
}

function cycleFrom(start: string, types: ReadonlyMap<string, NamedType>): readonly string[] | undefined {
  const visited = new Set<string>();
  const open: (readonly string[])[] = [[start]];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const next of requiredBy(types.get(path.at(-1) ?? ''))) {
      if (next === start) return [...path, next];
      if (visited.has(next)) continue;
      visited.add(next);
      open.push([...path, next]);
    }
  }
  return undefined;
}

function requiredBy(named: NamedType | undefined): readonly string[] {
  const names: string[] = [];
  if (named?.type.kind === 'object') {
    for (const { required, type } of named.type.properties)
      if (required && type.kind === 'ref') names.push(type.name);
  }
  return names;
}
