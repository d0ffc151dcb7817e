import * as assert from 'uvu/assert';
import { auditMarkOf } from '../audit.js';
import { Event, SystemEvent } from '../message.js';
import { faultsOf } from '../record-class.js';

type EventClass = (new (init: never) => Event) & { readonly fields: object };
type EventClasses = Readonly<Record<string, EventClass>>;

/** An event of every class, with the names of its fields. */
export type EventSamples = readonly (readonly [event: Event, fields: readonly string[]])[];

export function mustBeComplete(events: EventClasses, samples: EventSamples): void {
  assert.is(samples.length, Object.keys(events).length);
  for (const [event, fields] of samples) {
    assert.equal(Object.keys(event), fields, event.constructor.name);
    assert.equal(faultsOf(event), [], event.constructor.name);
  }
}

export function mustRequireAllBut(nullable: string, samples: EventSamples): void {
  for (const [event, fields] of samples) {
    const empty = Reflect.construct(event.constructor, [{}]) as object;
    assert.equal(
      faultsOf(empty).map(({ path }) => path),
      fields.filter((name) => name !== nullable).map((name) => `/${name}`),
      event.constructor.name,
    );
  }
}

export function mustCheckIdsAndTimes(events: EventClasses): void {
  for (const type of Object.values(events)) {
    const names = Object.keys(type.fields);
    const init = Object.fromEntries(names.map((name) => [name, 'oops']));
    const wrong = Reflect.construct(type, [init]) as object;
    const reported = new Map(faultsOf(wrong).map(({ path, message }) => [path, message]));
    for (const name of names) {
      if (name.endsWith('Id')) assert.is(reported.get(`/${name}`), 'must be a UUID');
      if (name.endsWith('At'))
        assert.is(reported.get(`/${name}`), 'must be an ISO 8601 timestamp with offset');
      if (/duration$/i.test(name)) assert.is(reported.get(`/${name}`), 'must be an ISO 8601 duration');
    }
  }
}

export function mustBePlainAndUnaudited(events: EventClasses): void {
  for (const type of Object.values(events)) {
    assert.ok(type.prototype instanceof Event, type.name);
    assert.not(type.prototype instanceof SystemEvent, type.name);
    assert.is(auditMarkOf(type)?.exclude, true, type.name);
  }
}
