import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type BlockedLoopReport, reportReader, reportText } from './blocked-loop-report.js';

const test = suite('event loop report');

test('reports are read line by line, however they are split; invalid ones are skipped', () => {
  const reports: BlockedLoopReport[] = [];
  const read = reportReader((report) => reports.push(report));
  const lines = 'garbage\n{"inFlight":["Bake"]}\n{}\nnull\n{"inFlight":[],"running":{"command":"Sell"}}\n';
  for (const character of lines) read(Buffer.from(character));
  assert.equal(reports, [{ inFlight: ['Bake'] }, { inFlight: [], running: { command: 'Sell' } }]);
});

test('a line without an end is not buffered forever', () => {
  const reports: BlockedLoopReport[] = [];
  const read = reportReader((report) => reports.push(report));
  for (let n = 0; n < 100; n++) read(Buffer.alloc(10_000, 'x'));
  read(Buffer.from('\n{"inFlight":[]}\n'));
  assert.equal(reports, [{ inFlight: [] }]);
});

test('it names the command, its key and its request, else the commands in flight', () => {
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
