import type { NamedTypes, TypeModel, WithTypes } from '../model/service-model.js';
import { type CodecScope, type Scope, typeTextIn } from './codec-scope.js';
import type { Track, Memo } from '../model/memo.js';

/** Delimits the number of a constant; no emitted text contains it. */
const mark = '\0';

interface Constant {
  readonly noun: string;
  readonly text: string;
}

/** A function of the module before its constants have names, which depend on the functions above it. */
interface Unit {
  readonly text: string;
  readonly constants: readonly Constant[];
  /** The last text: mostly its constants have the same names again. */
  written?: { readonly names: readonly string[]; readonly text: string };
}

/** The text of a function of the module; for unchanged inputs only the names are filled in. */
export function functionText(
  memo: Memo,
  kind: string,
  object: object,
  inputs: readonly unknown[],
  scope: CodecScope,
  lines: (scope: Scope) => readonly string[],
): string {
  const unit = memo.of(kind, object, inputs, scope, (ask): Unit => {
    const own = new UnitScope(ask);
    return { text: lines(own).join('\n'), constants: own.constants };
  });
  const names: string[] = [];
  for (const { noun, text } of unit.constants) names.push(scope.constant(noun, filledIn(text, names)));
  if (unit.written?.names.every((name, index) => name === names[index]) !== true)
    unit.written = { names, text: filledIn(unit.text, names) };
  return unit.written.text;
}

const filledIn = (text: string, names: readonly string[]): string =>
  names.length === 0 || !text.includes(mark)
    ? text
    : text
        .split(mark)
        .map((part, index) => (index % 2 === 0 ? part : (names[Number(part)] ?? '')))
        .join('');

class UnitScope implements Scope {
  readonly constants: Constant[] = [];
  readonly model: WithTypes;
  readonly #used = new Set<string>();

  constructor(private readonly ask: Track<CodecScope>) {
    const types: NamedTypes = { get: (name) => ask((scope) => scope.model.types.get(name)) };
    this.model = { types };
  }

  helper(name: string): string {
    return this.#use('helper', name);
  }

  constant(noun: string, text: string): string {
    return `${mark}${this.constants.push({ noun, text }) - 1}${mark}`;
  }

  classOf(name: string): string {
    return this.#use('classOf', name);
  }

  typeName(name: string): string {
    return this.#use('typeName', name);
  }

  typeText(type: TypeModel, lists: 'filled' | 'read'): string {
    return typeTextIn(this, type, lists);
  }

  /** Recorded once: the scope answers with the name itself. */
  #use(what: 'helper' | 'classOf' | 'typeName', name: string): string {
    const key = `${what} ${name}`;
    if (this.#used.has(key)) return name;
    this.#used.add(key);
    return this.ask((scope) => scope[what](name));
  }
}
