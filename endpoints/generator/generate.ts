import { Compiler } from './compiler.js';
import { type Diagnostic, Diagnostics } from './diagnostics.js';
import { discover } from './discover/service.js';
import { emitAll, type GeneratedFile, type ServiceInfo } from './emit/all.js';
import type { ServiceModel } from './model.js';

export type Generated =
  | { readonly ok: true; readonly model: ServiceModel; readonly files: readonly GeneratedFile[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Reads a source tree again and again, and says each time what should be generated from it. */
export class Generator {
  readonly #compiler: Compiler;

  constructor(
    dir: string,
    private readonly info: ServiceInfo,
  ) {
    this.#compiler = new Compiler(dir);
  }

  get root(): string {
    return this.#compiler.root;
  }

  /** What can be read of the tree, even when something in it is wrong. */
  peek(): ServiceModel {
    return discover(this.#compiler.read(), new Diagnostics());
  }

  run(): Generated {
    const diagnostics = new Diagnostics();
    const model = discover(this.#compiler.read(), diagnostics);
    if (diagnostics.all.length > 0) return { ok: false, diagnostics: inOrder(diagnostics.all) };
    return { ok: true, model, files: emitAll(model, this.info) };
  }
}

const inOrder = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  [...diagnostics].sort((a, b) =>
    a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1,
  );
