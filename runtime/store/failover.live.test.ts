import { suite } from '../../contracts/testing/suite.js';
import type { Envelope } from '../../contracts/message.js';
import { onPair, waitingWithoutStandby } from '../testing/hosts-on-pair.js';
import { until } from '../kit/until.js';

const test = suite('failover to a synchronous standby');

test('a flush whose connection was ended while it waited for the standby is not acknowledged by its retry', () =>
  onPair(async ({ pair, host }) => {
    const { append, acknowledged } = host();
    const waiting = await waitingWithoutStandby(pair, append);
    await pair.admin('SELECT pg_terminate_backend($1)', [waiting]);
    await until(async () => acknowledged.length > 1 || (await pair.waiting()).some((pid) => pid !== waiting));
  }));

test('a flush of one event whose connection was ended while it waited is not acknowledged by its retry either', () =>
  onPair(async ({ pair, host }) => {
    const { append, acknowledged } = host();
    const unkeyed = (event: Envelope): void => append(event, false);
    const waiting = await waitingWithoutStandby(pair, unkeyed);
    await pair.admin('SELECT pg_terminate_backend($1)', [waiting]);
    await until(async () => acknowledged.length > 1 || (await pair.waiting()).some((pid) => pid !== waiting));
  }));

test('a commit whose wait for the standby was cancelled is not acknowledged', () =>
  onPair(async ({ pair, host }) => {
    const { append, acknowledged } = host();
    const waiting = await waitingWithoutStandby(pair, append);
    await pair.admin('SELECT pg_cancel_backend($1)', [waiting]);
    await until(async () => acknowledged.length > 1 || (await pair.waiting()).some((pid) => pid !== waiting));
  }));
