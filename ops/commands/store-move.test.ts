import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { targetUrl } from './store-move.js';

const test = suite('svc store move');

test('the password of the target comes from SVC_MOVE_PASSWORD', () => {
  const at = (password: string): string =>
    targetUrl('postgres://ann@db-b:5433/orders?sslmode=require', { SVC_MOVE_PASSWORD: password });
  assert.is(at('secret'), 'postgres://ann:secret@db-b:5433/orders?sslmode=require');
  assert.is(decodeURIComponent(new URL(at('a%41@:/ü')).password), 'a%41@:/ü');
  assert.is(targetUrl('postgres://ann@db-b/orders', {}), 'postgres://ann@db-b/orders');
});

test('a password in --to works, with a warning that does not show it', async () => {
  const { code, stderr } = await svcInProcess(
    ['store', 'move', '--to', 'postgres://ann:secret@127.0.0.1:1/orders'],
    {
      DATABASE_URL: 'postgres://ann@127.0.0.1:1/orders',
    },
  );
  assert.is(code, 1);
  assert.match(
    stderr,
    /^svc: other users of this machine can see the password in --to; [^\n]*SVC_MOVE_PASSWORD\.\nsvc: [^\n]*\n$/,
  );
  assert.not.match(stderr, 'secret');
});
