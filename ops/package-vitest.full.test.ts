import { spawnSync } from 'node:child_process';
import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { withFolder } from '../runtime/kit/temporary-folder.js';
import { install, pack, writeFiles } from './testing/packed-package.js';

const test = suite('the package in vitest');

/** An application whose tests are those that the README shows; the last one expects the wrong event. */
const application = {
  'package.json': JSON.stringify({ name: 'library', type: 'module', private: true }),
  'tsconfig.json': JSON.stringify({
    compilerOptions: { target: 'ES2022', module: 'NodeNext', strict: true },
  }),
  'return-book.ts': `
import { Command, CommandEndpoint, Event, Problem, type Receptor, type UnitOfWork, type Uuid } from 'svc-runtime';
export class BookLent extends Event { bookId!: Uuid; }
export class BookReturned extends Event { bookId!: Uuid; }
@CommandEndpoint<ReturnBook, { bookId: Uuid }>({ restRoute: '/return' })
export class ReturnBook extends Command { bookId!: Uuid; }
export class ReturnBookReceptor implements Receptor<ReturnBook, { bookId: Uuid }> {
  async handle({ bookId }: ReturnBook, work: UnitOfWork) {
    for await (const _event of work.read(bookId)) {
      work.append(bookId, BookReturned.of({ bookId }));
      return { bookId };
    }
    throw new Problem('not-lent', { status: 409, title: 'Not lent' });
  }
}`,
  'return-book.test.ts': `
import { Problem as ProblemOfContracts } from 'svc-runtime/contracts';
import { Problem } from 'svc-runtime';
import { given } from 'svc-runtime/testing';
import { expect, test } from 'vitest';
import { BookLent, BookReturned, ReturnBook, ReturnBookReceptor } from './return-book.js';
const bookId = '018f0000-0000-7000-8000-000000000001';
const lent = [bookId, BookLent.of({ bookId })] as const;
const back = ReturnBook.of({ bookId });
test('a lent book is returned', () =>
  given(new ReturnBookReceptor(), lent).when(back).then([bookId, BookReturned.of({ bookId })]));
test('a book that is not lent is refused', () =>
  given(new ReturnBookReceptor()).when(back).thenRefuses('not-lent'));
test('a class is one class', () => expect(ProblemOfContracts).toBe(Problem));
test('a wrong event is found', () =>
  given(new ReturnBookReceptor(), lent).when(back).then([bookId, BookLent.of({ bookId })]));
`,
};

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

test('an application tests its receptors in vitest, decorators included', () =>
  withFolder(async (folder) => {
    await writeFiles(folder, application);
    const { tarball } = pack(folder);
    assert.not.match(install(folder, '--ignore-scripts', tarball, 'vitest@3.2.4'), /exited with/);
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json'];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    assert.match(stdout, /^\{/, stderr);
    const { testResults } = JSON.parse(stdout) as Report;
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    assert.equal(Object.fromEntries(results.map(({ title, status }) => [title, status])), {
      'a lent book is returned': 'passed',
      'a book that is not lent is refused': 'passed',
      'a class is one class': 'passed',
      'a wrong event is found': 'failed',
    });
  }));
