import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { usesNodeTest } from './run-node-tests.js';

const test = suite('files of node:test');

const ofNode = 'import { test } from "node:test";\n';
const ofOurs = 'import { suite } from "../contracts/testing/suite.js";\n';

test('a file that imports node:test is one of its files, unless it only writes such a file', () =>
  withFolder(async (folder) => {
    const isOne = async (text: string): Promise<boolean> => {
      const file = join(folder, 'a.test.js');
      await writeFile(file, text);
      return usesNodeTest(file);
    };
    assert.equal(
      [await isOne(ofNode), await isOne(ofOurs), await isOne(`${ofOurs}const text = \`\n${ofNode}\`;`)],
      [true, false, false],
    );
  }));
