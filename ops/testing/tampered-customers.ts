import * as assert from 'uvu/assert';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { ada, forget, forgetting } from './customer-hosts.js';

export type Customer = typeof ada;

export const ofStream = ({ customerId }: Customer) => `WHERE stream_id = '${customerId}'`;

export const withEmail = (customer: Customer, value: string) =>
  `UPDATE svc_events SET data = replace(data::text, data ->> 'email', ${value})::json ${ofStream(customer)}`;

export const forgets = async (url: string, { customerId } = ada): Promise<void> => {
  const { code, stderr } = await forget(url, customerId);
  assert.is(code, 0, stderr);
  await until(async () => (await rowsOf(url, forgetting)).length === 0);
};
