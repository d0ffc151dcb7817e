import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { hostPermissions, monitorPermissions } from './nats-permissions.js';

const test = suite('nats permissions');

test('they have the names of the namespace, and of no other', () => {
  for (const { publish } of [hostPermissions(['Baked'], 'staging'), monitorPermissions('staging')])
    for (const subject of publish) assert.ok(/^\$JS\.API\.INFO$|^staging\.|STAGING_/.test(subject), subject);
  assert.ok(hostPermissions(['Baked'], 'staging').publish.includes('staging.events.Baked'));
  assert.ok(hostPermissions(['Baked']).publish.includes('svc.events.Baked'));
});

test('a monitor can neither publish nor read domain events', () => {
  for (const subject of monitorPermissions().publish)
    assert.not(/events\.|MSG\..*EVENTS|CONSUMER.*EVENTS/.test(subject), subject);
});
