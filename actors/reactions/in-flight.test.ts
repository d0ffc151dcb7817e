import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { InFlight } from './in-flight.js';

const test = suite('events in flight');

type Entered = { readonly name: string; readonly leave: () => void }[];

const entering = (inFlight: InFlight, name: string, count: number, entered: Entered): void => {
  for (let n = 0; n < count; n++) void inFlight.enter(name).then((leave) => entered.push({ name, leave }));
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a reaction whose commands hang leaves room for the others', async () => {
  const inFlight = new InFlight(8);
  const entered: Entered = [];
  entering(inFlight, 'sick', 20, entered);
  entering(inFlight, 'well', 2, entered);
  await turn();
  const names = entered.map(({ name }) => name);
  assert.equal(names, [...Array<string>(6).fill('sick'), 'well', 'well']);
});

test('everybody who waits enters', async () => {
  const inFlight = new InFlight(4);
  const entered: Entered = [];
  entering(inFlight, 'a', 10, entered);
  entering(inFlight, 'b', 10, entered);
  for (let left = 0; left < entered.length || left === 0; left++) {
    await turn();
    entered[left]?.leave();
    entered[left]?.leave();
    await turn();
  }
  assert.is(entered.length, 20);
});
