import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type EventLoopReport, reportReader, reportText } from './event-loop-report.js';

const test = suite('loop report');

test('reports are read line by line, however they are cut; what cannot be read is passed over', () => {
  const heard: EventLoopReport[] = [];
  const read = reportReader((report) => heard.push(report));
  const lines = 'garbage\n{"inFlight":["Bake"]}\n{}\nnull\n{"inFlight":[],"running":{"command":"Sell"}}\n';
  for (const character of lines) read(Buffer.from(character));
  assert.equal(heard, [{ inFlight: ['Bake'] }, { inFlight: [], running: { command: 'Sell' } }]);
});

test('a line without an end takes no memory', () => {
  const heard: EventLoopReport[] = [];
  const read = reportReader((report) => heard.push(report));
  for (let n = 0; n < 100; n++) read(Buffer.alloc(10_000, 'x'));
  read(Buffer.from('\n{"inFlight":[]}\n'));
  assert.equal(heard, [{ inFlight: [] }]);
});

test('it names the command, its key and its request, else what was in flight', () => {
  const at = 'handle (shop/bake.js:7)';
  const running = { command: 'Bake', key: 'oven 7', correlationId: 'c-1' };
  assert.is(
    reportText({ running, inFlight: ['Bake', 'Sell'], at }),
    ' by Bake (key oven 7, correlation c-1) at handle (shop/bake.js:7)',
  );
  assert.is(reportText({ running: { command: 'Bake' }, inFlight: [] }), ' by Bake');
  assert.is(reportText({ inFlight: ['Bake', 'Sell'] }), ' while in flight: Bake, Sell');
  assert.is(reportText({ inFlight: [], at }), ` at ${at}`);
});

test.run();
