import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Compiler } from './compiler.js';
import { type Diagnostic, Diagnostics } from './diagnostics.js';
import { discover, type KnownFindings } from './discover/discover-service.js';
import { emitAll, type GeneratedFile, type ServiceInfo } from './emit/emit-all.js';
import { Memo } from './model/memo.js';
import { type EventShapes, shapesIn } from './model/event-shapes.js';
import type { ServiceModel } from './model/service-model.js';
import { filesOf } from './model/generated-paths.js';
import { reuseUnchanged } from './model/reuse-unchanged.js';

type Generated =
  | { readonly ok: true; readonly model: ServiceModel; readonly files: readonly GeneratedFile[] }
  | {
      readonly ok: false;
      readonly diagnostics: readonly Diagnostic[];
      /** The file of the recorded event shapes, which another process may change to accept an event. */
      readonly recordedEvents: string;
    };

/** Reads a source tree repeatedly, and returns each time what to generate from it. */
export class Generator {
  #compiler: Compiler;
  readonly #found: KnownFindings = new WeakMap();
  readonly #memo = new Memo();
  /** The last output, which most edits, those of handlers, do not change. */
  #generated: (Generated & { readonly ok: true }) | undefined;

  constructor(
    dir: string,
    private info: ServiceInfo,
    private readonly options: { readonly acceptEvents?: boolean } = {},
  ) {
    this.#compiler = new Compiler(dir);
  }

  get root(): string {
    return this.#compiler.root;
  }

  /** Changes the title and version of the contract. */
  describe(info: ServiceInfo): void {
    if (isDeepStrictEqual(info, this.info)) return;
    this.info = info;
    this.#generated = undefined;
  }

  /** What can be read of the tree, even when it has mistakes. */
  peek(): ServiceModel {
    return this.#discover(new Diagnostics());
  }

  run(): Generated {
    const diagnostics = new Diagnostics();
    const model = this.#discover(diagnostics);
    if (diagnostics.all.length > 0) {
      const recordedEvents = join(this.root, filesOf(model).events);
      return { ok: false, diagnostics: inOrder(diagnostics.all), recordedEvents };
    }
    const steady = reuseUnchanged(model, this.#generated?.model);
    if (steady !== this.#generated?.model)
      this.#generated = { ok: true, model: steady, files: emitAll(steady, this.info, this.#memo) };
    return this.#generated;
  }

  /** Does the work of an edit of one command and discards it, so that the first real edit is fast. */
  rehearse(): void {
    const [first, ...others] = this.#generated?.model.commands ?? [];
    if (first === undefined || this.#generated === undefined) return;
    const model = reuseUnchanged(this.#discover(new Diagnostics(), true), this.#generated.model);
    if (model === this.#generated.model)
      emitAll({ ...model, commands: [{ ...first }, ...others] }, this.info, this.#memo);
  }

  /** The event shapes at the last write. */
  #recorded(tree: { readonly sourceRoot?: string }): EventShapes {
    if (this.options.acceptEvents === true) return {};
    try {
      return shapesIn(readFileSync(join(this.root, filesOf(tree).events), 'utf8'));
    } catch {
      return {};
    }
  }

  #discover(diagnostics: Diagnostics, isRehearsal = false): ServiceModel {
    try {
      const tree = this.#compiler.read(isRehearsal);
      return discover(tree, diagnostics, this.#found, this.#recorded(tree));
    } catch (error) {
      // Files that were read but not examined would count as known.
      this.#compiler = new Compiler(this.root);
      throw error;
    }
  }
}

const inOrder = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  [...diagnostics].sort((a, b) =>
    a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1,
  );
