import { relative, sep } from 'node:path';
import type { SourceTree, ts } from '../compiler.js';
import { type DiagnosticCode, Diagnostics } from '../diagnostics.js';

/** The tree that is read, and where its mistakes are reported. */
export class Reading {
  constructor(
    readonly tree: SourceTree,
    readonly diagnostics = new Diagnostics(),
  ) {}

  get checker(): ts.TypeChecker {
    return this.tree.checker;
  }

  error(code: DiagnosticCode, node: ts.Node, message: string): void {
    this.diagnostics.error(code, node, message);
  }

  /** `src/x.ts(5,48)`, to name a second location in a message. */
  locationOf(node: ts.Node): string {
    const file = node.getSourceFile();
    const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
    return `${relative(this.tree.root, file.fileName).split(sep).join('/')}(${line + 1},${character + 1})`;
  }
}
