import * as assert from 'uvu/assert';
import type { Test } from '../../../contracts/testing/suite.js';
import { withSources } from '../../testing/source-tree.js';
import { Compiler, type SourceTree } from '../compiler.js';
import { Diagnostics, formatDiagnostic } from '../diagnostics.js';
import { discover } from '../discover/discover-service.js';

/** The source of a command and its receptor. */
export const command = (name: string, options: string, fields = '', before = '') => `
import { Command, CommandEndpoint, type Receptor, type Decimal, type Uuid, type Int, type Json } from 'svc-runtime';
${before}
@CommandEndpoint<${name}, void>(${options})
export class ${name} extends Command {
  ${fields}
}
export class ${name}Receptor implements Receptor<${name}, void> {
  handle(): void {}
}
`;

export const diagnose = (
  files: Readonly<Record<string, string>>,
  compilerOptions: object = {},
  /** The service is this folder of the files. */
  service = '',
): Promise<readonly string[]> =>
  withSources(
    files,
    (dir) => {
      const diagnostics = new Diagnostics();
      const all = new Compiler(dir).read();
      const tree = service === '' ? all : treeOf(all, `${all.root}/${service}`);
      discover(tree, diagnostics);
      return diagnostics.all.map((diagnostic) => formatDiagnostic(diagnostic, tree.root));
    },
    compilerOptions,
  );

/** The mistakes in each source, as the only file of its tree; one program of all of them saves most of the time. */
function diagnoseEach(sources: readonly string[]): Promise<readonly (readonly string[])[]> {
  const files = Object.fromEntries(sources.map((source, n) => [`${n}/a.ts`, source]));
  return withSources(files, (dir) => {
    const all = new Compiler(dir).read();
    return sources.map((_, n) => {
      const tree = treeOf(all, `${all.root}/${n}`);
      const diagnostics = new Diagnostics();
      discover(tree, diagnostics);
      return diagnostics.all.map((diagnostic) => formatDiagnostic(diagnostic, tree.root));
    });
  });
}

function treeOf(all: SourceTree, root: string): SourceTree {
  const owns = ({ fileName }: { readonly fileName: string }): boolean => fileName.startsWith(`${root}/`);
  const files = all.files.filter(owns);
  return { ...all, root, files, changed: new Set(files), owns };
}

/** One file, one mistake, one line. */
export const mistakesOf = (test: Test) => {
  const sources: string[] = [];
  let found: Promise<readonly (readonly string[])[]> | undefined;
  return (name: string, code: string, source: string, says: RegExp, at?: string): void => {
    const place = sources.push(source) - 1;
    test(`${code}: ${name}`, async () => {
      found ??= diagnoseEach(sources);
      const lines = (await found)[place] ?? [];
      assert.is(lines.length, 1, lines.join('\n') || 'no mistake was found');
      assert.match(lines[0] ?? '', new RegExp(`^a\\.ts\\(\\d+,\\d+\\): error ${code}: `));
      assert.match(lines[0] ?? '', says);
      if (at !== undefined) assert.match(lines[0] ?? '', at);
    });
  };
};

export const good = command('Ping', `{ restRoute: '/ping' }`, 'id!: Uuid;');
