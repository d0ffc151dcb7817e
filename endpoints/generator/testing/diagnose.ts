import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { withSources } from '../../testing/source-tree.js';
import { Compiler } from '../compiler.js';
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
): Promise<readonly string[]> =>
  withSources(
    files,
    (dir) => {
      const diagnostics = new Diagnostics();
      discover(new Compiler(dir).read(), diagnostics);
      return diagnostics.all.map((diagnostic) => formatDiagnostic(diagnostic, dir));
    },
    compilerOptions,
  );

/** One file, one mistake, one line. */
export const mistakesOf =
  (test: Test) =>
  (name: string, code: string, source: string, says: RegExp, at?: string): void => {
    test(`${code}: ${name}`, async () => {
      const lines = await diagnose({ 'a.ts': source });
      assert.is(lines.length, 1, lines.join('\n') || 'no mistake was found');
      assert.match(lines[0] ?? '', new RegExp(`^a\\.ts\\(\\d+,\\d+\\): error ${code}: `));
      assert.match(lines[0] ?? '', says);
      if (at !== undefined) assert.match(lines[0] ?? '', at);
    });
  };

export const good = command('Ping', `{ restRoute: '/ping' }`, 'id!: Uuid;');
