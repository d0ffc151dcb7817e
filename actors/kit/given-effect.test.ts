import * as assert from 'uvu/assert';
import { type Effect, type EffectCall, EffectRefused, TryLater } from '../../contracts/effect.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { LabelPrinted, PrintLabel } from '../testing/label-printing.js';
import { given } from './given.js';

const test = suite('given an effect');

const orderId = '0190b5d4-0000-7000-8000-000000000001';
const request = PrintLabel.of({ orderId });
const printed = LabelPrinted.of({ orderId });

class Printer implements Effect<PrintLabel, LabelPrinted> {
  readonly name = 'printer';
  readonly retries = { attempts: 3, first: 'PT1H', most: 'PT1H' };
  stream = (): string => orderId;
  call = (): Promise<LabelPrinted> => Promise.resolve(printed);
}

const printerThat = (call: Effect<PrintLabel, LabelPrinted>['call']): Effect<PrintLabel, LabelPrinted> => ({
  name: 'printer',
  stream: () => orderId,
  call,
});

test('an effect is tested by answers, calls and the events that are stored', async () => {
  await given(new Printer()).when(request).thenStores([orderId, printed]);
  await given(new Printer()).when(request).thenCalls(1);
  const patient = given(new Printer()).answering(new TryLater('PT1S'), new TypeError('down'), printed);
  await patient.when(request).thenCalls(3);
  await patient.when(request).thenStores([orderId, printed]);
});

test('what is given up is parked, or ends with the event that the effect says', async () => {
  const down = given(new Printer()).answering(new TypeError('down'));
  await down.when(request).thenCalls(3);
  await down.when(request).thenParks('effect-failed');
  await given(new Printer()).answering(new EffectRefused('no-paper')).when(request).thenParks('no-paper');
});

test('a call that succeeds is made again with the same id, and must leave the same', async () => {
  const done = new Map<string, number>();
  const countAndPrint = (_: PrintLabel, { id }: EffectCall): Promise<LabelPrinted> => {
    done.set(id, (done.get(id) ?? 0) + 1);
    return Promise.resolve(printed);
  };
  await given(printerThat(countAndPrint)).when(request).thenCalls(1);
  assert.equal([...done.values()], [2]);
  for (const again of [
    () => Promise.resolve(LabelPrinted.of({ orderId: newUuid() })),
    () => Promise.reject(new TypeError('printed already')),
  ]) {
    let calls = 0;
    const careless = printerThat(() => (calls++ === 0 ? Promise.resolve(printed) : again()));
    const failure: unknown = await given(careless)
      .when(request)
      .thenStores([orderId, printed])
      .catch((error: unknown) => error);
    assert.match(String(failure), 'printer was called again with the same id, and left');
  }
});

test('what is not as expected fails', async () => {
  for (const wrong of [
    () => given(new Printer()).when(request).thenCalls(2),
    () => given(new Printer()).when(request).thenStores(),
    () => given(new Printer()).when(request).thenParks('no-paper'),
    () => given(new Printer()).answering(new EffectRefused('no-paper')).when(request).thenStores(),
  ]) {
    const failure = await wrong().then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(failure instanceof Error);
  }
});
