import { relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ts } from './typescript.js';

/** Every mistake the generator finds has a stable code. */
export type DiagnosticCode = `SVC1${string}`;

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
    this.#add(code, file, node.getStart(file), message);
  }

  /** A mistake of the whole tree. */
  errorInFile(code: DiagnosticCode, file: string, message: string): void {
    this.all.push({ code, message, file, line: 1, column: 1 });
  }

  /** The generator cannot read what the compiler cannot parse. */
  syntaxErrors(program: ts.Program, file: ts.SourceFile): void {
    for (const { start, messageText } of program.getSyntacticDiagnostics(file))
      this.#add('SVC1021', file, start, ts.flattenDiagnosticMessageText(messageText, ' '));
  }

  /** Adds a mistake once, even when two files found it in a third. */
  add(found: readonly Diagnostic[]): void {
    for (const diagnostic of found)
      if (!this.all.some((known) => isDeepStrictEqual(known, diagnostic))) this.all.push(diagnostic);
  }

  #add(code: DiagnosticCode, file: ts.SourceFile, start: number, message: string): void {
    const { line, character } = file.getLineAndCharacterOfPosition(start);
    this.all.push({ code, message, file: file.fileName, line: line + 1, column: character + 1 });
  }
}

/** In the compiler's format, so that editors find the location. */
export const formatDiagnostic = ({ file, line, column, code, message }: Diagnostic, from: string): string =>
  `${relative(from, file).split(sep).join('/')}(${line},${column}): error ${code}: ${message}`;
