import * as assert from 'uvu/assert';
import { type Effect, EffectRefused, TryLater } from '../../contracts/effect.js';
import { suite } from '../../contracts/testing/suite.js';
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

test('an effect is tested by answers, calls and the events that are stored', async () => {
  await given(new Printer()).when(request).thenStores([orderId, printed]);
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
