import * as assert from 'uvu/assert';
import * as contracts from './index.js';
import { AuditMode } from './audit.js';
import { MigrationStatus } from './migration.js';
import { problems } from './problems.js';
import { ScopeFilters } from './perspective-scope.js';
import { SystemEventStreams } from './system-stream.js';
import { suite } from './testing/suite.js';

const test = suite('constants');

test('constants and enums cannot be changed', () => {
  const objects = Object.entries(contracts).filter(
    ([name, value]) => typeof value === 'object' && !(value instanceof Map) && name !== 'codec',
  );
  for (const [name, value] of objects) assert.ok(Object.isFrozen(value), name);
  for (const one of [SystemEventStreams, AuditMode, MigrationStatus, ScopeFilters, problems.unexpected]) {
    assert.ok(objects.length > 9 && Object.isFrozen(one));
    assert.throws(() => Object.assign(one, { Applied: 9, name: 'mine', Tenant: 3, status: 200, OptOut: '' }));
  }
});
