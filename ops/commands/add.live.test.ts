import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { build, withNewService } from '../testing/new-service.js';
import { svcAdd, refusal } from '../testing/adding.js';

const test = suite('svc add');

test('an event, a command and a perspective that were added generate and compile', () =>
  withNewService(async (dir) => {
    for (const args of [
      ['event', 'BookReturned', 'bookId:Uuid', 'fine:Decimal', 'note'],
      ['event', 'ShelfMoved'],
      ['command', 'ReturnBook', 'note', 'bookId:Uuid'],
      ['command', 'MoveShelf'],
      ['command', 'OpenBranch', 'opening:Duration', 'settings?:Json', 'note?', 'parentId?:Uuid'],
      ['command', 'ChangeShelf', 'default:Uuid', 'work', 'command'],
      ['perspective', 'Readers'],
      ['perspective', 'ReturnsPerspective', 'BookReturned'],
    ]) {
      assert.is((await svcAdd(dir, ...args)).status, 0, args.join(' '));
    }
    await build(dir);
    const text = (name: string) => readFile(join(dir, 'src', name), 'utf8');
    assert.match(await text('book-returned.ts'), /bookId!: Uuid;\n {2}fine!: Decimal;\n {2}note!: string;\n/);
    const openBranch = await text('open-branch.ts');
    assert.match(
      openBranch,
      'opening!: Duration;\n  settings?: Json;\n  note?: string;\n  parentId?: Uuid;\n',
    );
    assert.match(openBranch, 'const id = newUuid();');
    assert.match(await text('readers.ts'), 'readonly events = [BookBorrowed, BookReturned, ShelfMoved];');
    assert.match(await text('returns-perspective.ts'), "readonly route = '/returns';");
    assert.match(await text('return-book.ts'), "permission: Permission.write('loans'),");
    assert.match(await text('move-shelf.ts'), "permission: Permission.write('shelf'),");
    assert.match(await text('readers.ts'), "readonly permission = Permission.read('readers');");
    const contract = await text('generated/openapi.json');
    for (const path of ['/return-book', '/move-shelf', '/readers', '/returns'])
      assert.ok(contract.includes(`"${path}"`), path);
  }));

test('--json reports which file was written', () =>
  withNewService(async (dir) => {
    const { stdout } = await svcAdd(dir, 'event', 'BookReturned', '--json');
    assert.equal(JSON.parse(stdout), { file: join(dir, 'src/book-returned.ts') });
  }));

test('nothing that is there is written over', () =>
  withNewService(async (dir) => {
    assert.is(
      await refusal(dir, 'event', 'BookBorrowed'),
      'There is a BookBorrowed already, in src/book-borrowed.ts',
    );
    await writeFile(join(dir, 'src/return-book.ts'), '// mine\n');
    assert.match(await refusal(dir, 'command', 'ReturnBook'), /return-book\.ts exists already/);
    assert.is(await readFile(join(dir, 'src/return-book.ts'), 'utf8'), '// mine\n');
  }));

test('what cannot be added is refused with what to type instead', () =>
  withNewService(async (dir) => {
    assert.is(
      await refusal(dir, 'hook', 'A'),
      'Name what to add: command, event, perspective, reaction, process, decider, effect, webhooks',
    );
    assert.is(await refusal(dir, 'event', '../escape'), 'Name the event in PascalCase, such as BookReturned');
    assert.is(await refusal(dir, 'command'), 'Name the command in PascalCase, such as ReturnBook');
    assert.match(await refusal(dir, 'event', 'A', 'Book-Id'), /^'Book-Id' is not a field; /);
    assert.match(await refusal(dir, 'event', 'A', 'size:huge'), /^'huge' is not a field type; use string, /);
    for (const [kind, name] of [
      ['event', 'Event'],
      ['command', 'UnitOfWork'],
      ['command', 'Permission'],
      ['command', 'Promise'],
      ['perspective', 'Uuid'],
    ] as const)
      assert.match(await refusal(dir, kind, name), /^\w+ is a name of JavaScript or of svc-runtime; choose/);
    assert.is(await refusal(dir, 'event', 'A', 'id?', 'note', 'id:Uuid'), "'id' is named twice");
    assert.is(
      await refusal(dir, 'perspective', 'A', 'BookBorrowed', 'BookBorrowed'),
      "'BookBorrowed' is named twice",
    );
    assert.match(await refusal(dir, 'event', 'A', 'constructor'), /^'constructor' is not a field; /);
    assert.is(await refusal(dir, 'perspective', 'A', 'Nothing'), 'There is no event Nothing');
  }));
