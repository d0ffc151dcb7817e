import { relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ts } from './typescript.js';

/** Every mistake the generator finds has a stable code. */
type DiagnosticCode = `SVC1${string}`;

export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

export class Diagnostics {
  readonly all: Diagnostic[] = [];

  error(code: DiagnosticCode, node: ts.Node, message: string): void {
    const file = node.getSourceFile();
    const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
    this.all.push({ code, message, file: file.fileName, line: line + 1, column: character + 1 });
  }

  /** A mistake of the whole tree. */
  errorInFile(code: DiagnosticCode, file: string, message: string): void {
    this.all.push({ code, message, file, line: 1, column: 1 });
  }

  /** The generator cannot read what the compiler cannot parse. */
  syntaxErrors(program: ts.Program, file: ts.SourceFile): void {
    for (const { start, messageText } of program.getSyntacticDiagnostics(file)) {
      const { line, character } = file.getLineAndCharacterOfPosition(start);
      const message = ts.flattenDiagnosticMessageText(messageText, ' ');
      this.all.push({
        code: 'SVC1021',
        message,
        file: file.fileName,
        line: line + 1,
        column: character + 1,
      });
    }
  }

  /** Adds a mistake once, even when two files found it in a third. */
  add(found: readonly Diagnostic[]): void {
    for (const diagnostic of found)
      if (!this.all.some((known) => isDeepStrictEqual(known, diagnostic))) this.all.push(diagnostic);
  }
}

/** In the compiler's format, so that editors find the location. */
export const formatDiagnostic = ({ file, line, column, code, message }: Diagnostic, from: string): string =>
  `${relative(from, file).split(sep).join('/')}(${line},${column}): error ${code}: ${message}`;

/** `src/x.ts(5,48)`, to name a second location in a message. */
export function locationOf(node: ts.Node, root: string): string {
  const file = node.getSourceFile();
  const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
  return `${relative(root, file.fileName).split(sep).join('/')}(${line + 1},${character + 1})`;
}
