import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { serverStatsIn, unservedIn } from './server-stats.js';

const test = suite('server stats');

const names = 'pxname,svname,qcur,scur,econ,eresp,status,type,hrsp_5xx,req_tot,check_desc,uweight,';

const statsOf = (...rows: string[]) => serverStatsIn([`# ${names}`, ...rows].join('\n'), 'orders');

test('the servers of one backend are read by the names of the columns', () => {
  const rows = [
    'orders_in,FRONTEND,,7,,,OPEN,0,9,900,,,',
    'orders,blue,1,2,3,4,UP,2,5,1000,ok,90,',
    'orders,green,0,0,0,0,DOWN,2,0,0,,10,',
    'others,blue,0,0,0,0,UP,2,0,0,,1,',
    'orders,BACKEND,0,0,0,0,UP,1,5,1000,,100,',
  ];
  assert.equal(statsOf(...rows), [
    { name: 'blue', isUp: true, weight: 90, inFlight: 3, requests: 1007, errors: 12 },
    { name: 'green', isUp: false, weight: 10, inFlight: 0, requests: 0, errors: 0 },
  ]);
});

test('answers of HAProxy itself are those of the backend that no server had', () => {
  const unserved = (...rows: string[]): number => unservedIn([`# ${names}`, ...rows].join('\n'), 'orders');
  const blue = 'orders,blue,0,0,3,4,UP,2,5,1000,ok,90,';
  assert.is(unserved(blue, 'orders,BACKEND,0,0,0,0,UP,1,42,1000,,100,'), 30);
  assert.is(unserved(blue, 'orders,BACKEND,0,0,0,0,UP,1,5,1000,,100,'), 0, 'retries that succeeded');
  assert.is(unserved(blue, 'others,BACKEND,0,0,0,0,UP,1,42,1000,,100,'), 0);
});

test('a quoted column may hold commas, quotes and line ends', () => {
  const [server] = statsOf('orders,blue,0,0,0,0,UP 1/2,2,0,5,"not ready, says ""no""\nagain",50,');
  assert.equal(server, { name: 'blue', isUp: true, weight: 50, inFlight: 0, requests: 5, errors: 0 });
});

test('a number that is none counts as zero, never as something negative', () => {
  const [server] = statsOf('orders,blue,-1,1e9,NaN,0x10,UP,2,-5,99999999999999999999,,Infinity,');
  assert.equal(server, { name: 'blue', isUp: true, weight: 0, inFlight: 0, requests: 0, errors: 0 });
});

test('an answer that holds no statistics is reported', () => {
  assert.throws(
    () => serverStatsIn('Permission denied', 'orders'),
    /^HAProxy did not answer show stat with statistics\.$/,
  );
  assert.equal(statsOf('orders,blue'), []);
  assert.equal(statsOf('"orders'), []);
});
